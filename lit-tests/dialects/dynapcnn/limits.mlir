// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null

// A configuration with one layer: core, channels, input, filters, output, kernel, stride, padding. Each limit is reached, and not exceeded.

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
// RUN: mutate 's/\[\[3, 2\]\] : tensor<1x2xi32>/[[3, 2], [3, 2]] : tensor<2x2xi32>/' %S/inputs/dynapcnn.mlir | nopt - | filecheck %s
// Channels and filters: 1024 each take 2^20 bytes of kernels, so one of them at a time. 16 * 1024 bytes of kernels of core 7.
// A kernel of 16 x 16, a stride of 8, a padding of 7: (16 + 14 - 16) / 8 + 1 = 2.
// The memory of each kind of cores. Kernels: 16, 32 and 64 Ki; 4 * 8 * 16 * 64 = 2^15: 64 channels, kernels of 4 x 4, 32 filters.
// Neurons: 16 Ki, 32 Ki and 64 Ki words; 33 x 33 positions are rounded up to 64 x 64, so 4 filters take 2^14 words.
// Numbers of 8 and of 16 bits, two destinations, and a pool of 4.
// CHECK: destinations = #nopt.array<{{\[\[}}3, 2], [3, 2]] : tensor<2x2xi32>>

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[1, 128, 128] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 0 : i64, input_shape = #nopt.array<[1, 128, 128] : tensor<3xi32>>, output_shape = #nopt.array<[16, 64, 64] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<16x1x2x2xi8>>, stride = #nopt.array<[2, 2] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[1024, 1, 1] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1024, 1, 1] : tensor<3xi32>>, output_shape = #nopt.array<[16, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<16x1024x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[16, 1, 1] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[16, 1, 1] : tensor<3xi32>>, output_shape = #nopt.array<[1024, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1024x16x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[1, 16, 16] : tensor<3xi32>>, layers = #nopt.array<[8] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 8 : i64, input_shape = #nopt.array<[1, 16, 16] : tensor<3xi32>>, output_shape = #nopt.array<[1, 2, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1x1x16x16xi8>>, stride = #nopt.array<[8, 8] : tensor<2xi32>>, padding = #nopt.array<[7, 7] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[64, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[3] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 3 : i64, input_shape = #nopt.array<[64, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[32, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<32x64x4x4xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[128, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[5] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 5 : i64, input_shape = #nopt.array<[128, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[32, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<32x128x4x4xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[32, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[32, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[32, 1, 1] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<32x32x4x4xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[1, 33, 33] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1, 33, 33] : tensor<3xi32>>, output_shape = #nopt.array<[4, 33, 33] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<4x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[1, 33, 33] : tensor<3xi32>>, layers = #nopt.array<[4] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 4 : i64, input_shape = #nopt.array<[1, 33, 33] : tensor<3xi32>>, output_shape = #nopt.array<[8, 33, 33] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<8x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[1, 33, 33] : tensor<3xi32>>, layers = #nopt.array<[2] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 2 : i64, input_shape = #nopt.array<[1, 33, 33] : tensor<3xi32>>, output_shape = #nopt.array<[16, 33, 33] : tensor<3xi32>>, weights = #nopt.array<constant(value = 1) : tensor<16x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, monitor_enable}
  }
}

// -----

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
builtin.module {
  dynapcnn.configuration @one attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
    dynapcnn.input "events" {input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[7] : tensor<1xi32>>}
    dynapcnn.cnn_layer "c" of "n" {layer = 7 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = -128) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 32767 : i64, threshold_low = -32768 : i64, monitor_enable}
  }
}
