// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Maps, strides and padding have one number for each axis.
// CHECK:      error[CHI010]: stride is invalid
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: 2 integers from 1
// CHECK-NEXT:   found: [1, 0]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 0] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// Kernels are integers [f, c, kx, ky], as many as the maps have features.
// CHECK:      error[CHI010]: weights are not kernels
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: integers of shape [f, c, kx, ky]
// CHECK-NEXT:   found: [5, 4, 4]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x4xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// Kernels are integers [f, c, kx, ky], as many as the maps have features.
// CHECK:      error[CHI010]: the weights do not match the maps
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: [5, 4, kx, ky], as the maps have
// CHECK-NEXT:   found: [5, 3, 2, 2]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x3x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// There is a bias for each filter, which leak_enable adds: `biases = [1, 0, -2]`.
// CHECK:      error[CHI010]: the biases do not match the filters
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: 4 integers
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, biases = #nopt.array<[1, 0, -2] : tensor<3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// There is a bias for each filter, which leak_enable adds.
// CHECK:      error[CHI010]: leak_enable adds biases
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: biases
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64, leak_enable}
}

// -----

// A destination is a layer and a pooling; the output map has the positions of the kernel: `destinations = [3, 2]`.
// CHECK:      error[CHI010]: destinations are invalid
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: rows of layer, pooling and first channel
// CHECK-NEXT:   found: [2]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[3, 2] : tensor<2xi32>>}
}

// -----

// A destination is a layer and a pooling; the output map has the positions of the kernel: `output_shape = [5, 3, 3]`.
// CHECK:      error[CHI010]: output_shape differs from the positions of the kernel
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: x, y = [3, 2]
// CHECK-NEXT:   found: [3, 3]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 3] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// The threshold is above 0, and the lower bound is not: `threshold_high = 0`.
// CHECK:      error[CHI010]: thresholds are invalid
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: threshold_high from 1, threshold_low up to 0
// CHECK-NEXT:   found: 0, -32768
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 0 : i64, threshold_low = -32768 : i64}
}

// -----

// The threshold is above 0, and the lower bound is not: `threshold_low = 1`.
// CHECK:      error[CHI010]: thresholds are invalid
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: threshold_high from 1, threshold_low up to 0
// CHECK-NEXT:   found: 100, 1
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = 1 : i64}
}

// -----

// The first feature of a layer is not negative.
// CHECK:      error[CHI010]: feature_shift is invalid
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: an integer from 0
// CHECK-NEXT:   found: -1
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 1 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, feature_shift = -1 : i64}
}
