// A sender has a block of keys, and the cores that its keys reach. A population that nothing reads has none.
// RUN: nopt %S/inputs/spinnaker.mlir | filecheck %s
// CHECK:      spinnaker.neurons "one/0"
// CHECK-SAME: key = 4 : i64, mask = 4294967294 : i64, cores = #nopt.array<[1] : tensor<1xi32>>
// CHECK:      spinnaker.neurons "two/0"
// CHECK-SAME: cores = #nopt.array<"0x" : tensor<0xi32>>
