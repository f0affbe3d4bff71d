// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN003]: the input map is too large
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 128 positions along an axis (dynapcnn/speck2f, features.input_size: {{.*}})
// CHECK-NEXT:   found: 129 positions along an axis
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 129, 129] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  // expected-error @below {{[DYN003]}}
  // expected-note @below {{pool the map before the layer, or use a stride of 2}}
  dynapcnn.cnn_layer "c" of "n" {layer = 0 : i64, input_shape = #nopt.array<[1, 129, 129] : tensor<3xi32>>, output_shape = #nopt.array<[1, 33, 33] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[4, 4] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN003]: the output map is too large
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 64 positions along an axis (dynapcnn/speck2f, features.output_size: {{.*}})
// CHECK-NEXT:   found: 65 positions along an axis
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 65, 65] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  // expected-error @below {{[DYN003]}}
  // expected-note @below {{pool the map before the layer, or use a stride of 2}}
  dynapcnn.cnn_layer "c" of "n" {layer = 0 : i64, input_shape = #nopt.array<[1, 65, 65] : tensor<3xi32>>, output_shape = #nopt.array<[1, 65, 65] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// A layer has at most 1024 channels and 1024 filters.
// CHECK:      error[DYN003]: a layer reads too many features
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 1024 channels (dynapcnn/speck2f, features.channels_in: {{.*}})
// CHECK-NEXT:   found: 1025 channels
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1025, 1, 1] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
  // expected-error @below {{[DYN003]}}
  // expected-note @below {{give the layer before fewer filters, or pool its map}}
  dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1025, 1, 1] : tensor<3xi32>>, output_shape = #nopt.array<[1, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1x1025x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN003]: a layer has too many filters
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 1024 channels (dynapcnn/speck2f, features.channels_out: {{.*}})
// CHECK-NEXT:   found: 1025 channels
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 1, 1] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
  // expected-error @below {{[DYN003]}}
  // expected-note @below {{give the layer fewer filters}}
  dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1, 1, 1] : tensor<3xi32>>, output_shape = #nopt.array<[1025, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1025x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// Kernels are square, of at most 16 taps; strides are 1, 2, 4 or 8; padding is at most 7.
// CHECK:      error[DYN004]: the kernel is too large
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 16 taps (dynapcnn/speck2f, features.kernel: {{.*}})
// CHECK-NEXT:   found: 17 taps
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 17, 17] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
  // expected-error @below {{[DYN004]}}
  // expected-note @below {{use several layers with smaller kernels, or pool the map before a dense layer}}
  dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1, 17, 17] : tensor<3xi32>>, output_shape = #nopt.array<[1, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1x1x17x17xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN004]: the kernel is not square
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: one kernel_size for both axes (dynapcnn/speck2f, features.kernel: {{.*}})
// CHECK-NEXT:   found: 1 x 2
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
  // expected-error @below {{[DYN004]}}
  // expected-note @below {{fill the kernel with zeros to a square one}}
  dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 4, 3] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1x1x1x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN004]: the stride is too large
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 8 elements (dynapcnn/speck2f, features.stride: {{.*}})
// CHECK-NEXT:   found: 16 elements
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 16, 16] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
  // expected-error @below {{[DYN004]}}
  // expected-note @below {{use a stride of 1, 2, 4 or 8, or a sum pool}}
  dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1, 16, 16] : tensor<3xi32>>, output_shape = #nopt.array<[1, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[16, 16] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN004]: the stride is not a power of two
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: a power of two up to 8 (dynapcnn/speck2f, features.stride: {{.*}})
// CHECK-NEXT:   found: 3 x 3
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
  // expected-error @below {{[DYN004]}}
  // expected-note @below {{use a stride of 1, 2, 4 or 8, or a sum pool of 2 x 2 or 4 x 4}}
  dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 2, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[3, 3] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN004]: the padding is too large
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 7 elements (dynapcnn/speck2f, features.padding: {{.*}})
// CHECK-NEXT:   found: 8 elements
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
  // expected-error @below {{[DYN004]}}
  // expected-note @below {{use a smaller padding}}
  dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 5, 5] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1x1x16x16xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[8, 8] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// Weights and biases have 8 bits, thresholds 16.
// CHECK:      error[DYN005]: a weight exceeds its bits
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: -128 to 127: 8 bits (dynapcnn/speck2f, synapse.bits: {{.*}})
// CHECK-NEXT:   found: 0 to 128
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  // expected-error @below {{[DYN005]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 128) : tensor<4x2x3x3xi16>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[3, 2]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64: `biases = [1, 0, -129, 0]`.
// CHECK:      error[DYN005]: a bias exceeds its bits
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: -128 to 127: 8 bits (dynapcnn/speck2f, synapse.bits: {{.*}})
// CHECK-NEXT:   found: -129 to 1
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  // expected-error @below {{[DYN005]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, biases = #nopt.array<[1, 0, -129, 0] : tensor<4xi16>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[3, 2]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64: `threshold_high = 32768`.
// CHECK:      error[DYN005]: a threshold exceeds its bits
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: -32768 to 32767: 16 bits (dynapcnn/speck2f, features.threshold_bits: {{.*}})
// CHECK-NEXT:   found: -100 to 32768
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  // expected-error @below {{[DYN005]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 32768 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[3, 2]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64: `destinations = [[3, 2], [3, 2], [3, 2]]`.
// A core has two destinations, with pools of 1, 2 or 4.
// CHECK:      error[DYN007]: a layer has too many destinations
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: at most 2 cores (dynapcnn/speck2f, core.fan_out: {{.*}})
// CHECK-NEXT:   found: 3 cores
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  // expected-error @below {{[DYN007]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[3, 2], [3, 2], [3, 2]] : tensor<3x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN007]: the pool of a destination is not a power of two
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: a power of two up to 4 (dynapcnn/speck2f, features.pool: {{.*}})
// CHECK-NEXT:   found: 3
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  // expected-error @below {{[DYN007]}}
  // expected-note @below {{use a stride of 1, 2, 4 or 8, or a sum pool of 2 x 2 or 4 x 4}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[3, 3]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 2, 2] : tensor<3xi32>>, output_shape = #nopt.array<[5, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN007]: the pool of a destination is too large
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: at most 4 elements (dynapcnn/speck2f, features.pool: {{.*}})
// CHECK-NEXT:   found: 8 elements
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 16, 16] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  // expected-error @below {{[DYN007]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 16, 16] : tensor<3xi32>>, output_shape = #nopt.array<[4, 16, 16] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[3, 8]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 2, 2] : tensor<3xi32>>, output_shape = #nopt.array<[5, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// The memory of each kind of cores: one channel, filter or tap more is rounded up to the next power of two.
// CHECK:      error[DYN006]: the kernel memory of core 7 is too small for a layer
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 16384 bytes (dynapcnn/speck2f, core_kinds.small.memory.kernel.bytes: {{.*}})
// CHECK-NEXT:   found: 32768 bytes
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1024, 1, 1] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
  // expected-error @below {{[DYN006]}}
  // expected-note @below {{give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two}}
  dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1024, 1, 1] : tensor<3xi32>>, output_shape = #nopt.array<[17, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<17x1024x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN006]: the kernel memory of core 3 is too small for a layer
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 32768 bytes (dynapcnn/speck2f, core_kinds.medium.memory.kernel.bytes: {{.*}})
// CHECK-NEXT:   found: 33280 bytes
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[65, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[3] : tensor<1xi32>>}
  // expected-error @below {{[DYN006]}}
  // expected-note @below {{give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two}}
  dynapcnn.cnn_layer "c" of "n" {layer = 3 : i64, input_shape = #nopt.array<[65, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[32, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<32x65x4x4xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN006]: the kernel memory of core 5 is too small for a layer
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 65536 bytes (dynapcnn/speck2f, core_kinds.large_kernels.memory.kernel.bytes: {{.*}})
// CHECK-NEXT:   found: 131072 bytes
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[128, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[5] : tensor<1xi32>>}
  // expected-error @below {{[DYN006]}}
  // expected-note @below {{give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two}}
  dynapcnn.cnn_layer "c" of "n" {layer = 5 : i64, input_shape = #nopt.array<[128, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[33, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<33x128x4x4xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN006]: the neuron memory of core 7 is too small for a layer
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 32768 bytes (dynapcnn/speck2f, core_kinds.small.memory.neuron.bytes: {{.*}})
// CHECK-NEXT:   found: 40960 bytes
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 33, 33] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
  // expected-error @below {{[DYN006]}}
  // expected-note @below {{give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two}}
  dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1, 33, 33] : tensor<3xi32>>, output_shape = #nopt.array<[5, 33, 33] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<5x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}

// -----

// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// CHECK:      error[DYN006]: the neuron memory of core 2 is too small for a layer
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c"
// CHECK-NEXT:   expected: at most 131072 bytes (dynapcnn/speck2f, core_kinds.large_maps.memory.neuron.bytes: {{.*}})
// CHECK-NEXT:   found: 139264 bytes
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 64, 64] : tensor<3xi32>>, layers = #nopt.array<[2] : tensor<1xi32>>}
  // expected-error @below {{[DYN006]}}
  // expected-note @below {{give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two}}
  dynapcnn.cnn_layer "c" of "n" {layer = 2 : i64, input_shape = #nopt.array<[1, 64, 64] : tensor<3xi32>>, output_shape = #nopt.array<[17, 64, 64] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<17x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
}
