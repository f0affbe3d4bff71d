// RUN: nopt %s --split-input-file | filecheck %s

// Two texts of one process have a blob of the same name. xDSL renames the second, and lost its bytes.
// CHECK:      dense_resource<blob> : tensor<1xf32>
// CHECK:        blob: "0x040000000000803F"
"test.op"() {a = dense_resource<blob> : tensor<1xf32>, b = dense_resource<blob> : tensor<1xf32>} : () -> ()

{-#
  dialect_resources: {
    builtin: {blob: "0x040000000000803F"}
  }
#-}

// -----

// CHECK:      a = dense_resource<[[NAME:blob[_0-9]+]]> : tensor<1xf32>, b = dense_resource<[[NAME]]> : tensor<1xf32>
// CHECK:        [[NAME]]: "0x0400000000000040"
"test.op"() {a = dense_resource<blob> : tensor<1xf32>, b = dense_resource<blob> : tensor<1xf32>} : () -> ()

{-#
  dialect_resources: {
    builtin: {blob: "0x0400000000000040"}
  }
#-}
