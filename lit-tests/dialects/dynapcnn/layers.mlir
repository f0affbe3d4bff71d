// A kernel need not be square where no device is named, and padding is that of both sides of an axis: (8 + 2 - 3) / 1 + 1 = 8.
// RUN: nopt %S/inputs/dynapcnn.mlir | filecheck %s
// CHECK: dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>
// RUN: mutate 's/, machine.device = "dynapcnn.speck2f"//' 's/tensor<5x4x2x2xi8>/tensor<5x4x2x3xi8>/' 's/\[5, 3, 2\]/[5, 3, 1]/' 's/tensor<5x2x3x!/tensor<5x1x3x!/' %S/inputs/dynapcnn.mlir | nopt - -o /dev/null
