// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null

// A kernel need not be square where no device is named, and padding is that of both sides of an axis: (8 + 2 - 3) / 1 + 1 = 8.
// RUN: nopt %S/inputs/dynapcnn.mlir | filecheck %s
// CHECK: dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>

// -----

// A kernel need not be square where no device is named, and padding is that of both sides of an axis: (8 + 2 - 3) / 1 + 1 = 8.
builtin.module {
  dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
    dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, biases = #nopt.array<[1, 0, -2, 0] : tensor<4xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, leak_enable, destinations = #nopt.array<[[3, 2]] : tensor<1x2xi32>>}
    dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64, return_to_zero, monitor_enable}
    dynapcnn.output "out" of "n2" : tensor<5x1x3x!ntensor.count<16>>
  }
}
