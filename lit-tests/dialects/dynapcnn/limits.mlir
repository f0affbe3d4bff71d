// A configuration with one layer: core, channels, input, filters, output, kernel, stride, padding. Each limit is reached, and not exceeded.

// An input map of 128 x 128, read with a stride of 2 to an output map of 64 x 64: 65536 words of neurons of core 0, 16 * 64 * 64.
// RUN: sh %S/inputs/dynapcnn_layer.sh 0 1 128 16 64 2 2 0 | nopt - -o /dev/null
// Channels and filters: 1024 each take 2^20 bytes of kernels, so one of them at a time. 16 * 1024 bytes of kernels of core 7.
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1024 1 16 1 1 1 0 | nopt - -o /dev/null
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 16 1 1024 1 1 1 0 | nopt - -o /dev/null
// A kernel of 16 x 16, a stride of 8, a padding of 7: (16 + 14 - 16) / 8 + 1 = 2.
// RUN: sh %S/inputs/dynapcnn_layer.sh 8 1 16 1 2 16 8 7 | nopt - -o /dev/null
// The memory of each kind of cores. Kernels: 16, 32 and 64 Ki; 4 * 8 * 16 * 64 = 2^15: 64 channels, kernels of 4 x 4, 32 filters.
// RUN: sh %S/inputs/dynapcnn_layer.sh 3 64 4 32 1 4 1 0 | nopt - -o /dev/null
// RUN: sh %S/inputs/dynapcnn_layer.sh 5 128 4 32 1 4 1 0 | nopt - -o /dev/null
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 32 4 32 1 4 1 0 | nopt - -o /dev/null
// Neurons: 16 Ki, 32 Ki and 64 Ki words; 33 x 33 positions are rounded up to 64 x 64, so 4 filters take 2^14 words.
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1 33 4 33 1 1 0 | nopt - -o /dev/null
// RUN: sh %S/inputs/dynapcnn_layer.sh 4 1 33 8 33 1 1 0 | nopt - -o /dev/null
// RUN: sh %S/inputs/dynapcnn_layer.sh 2 1 33 16 33 1 1 0 | nopt - -o /dev/null
// Numbers of 8 and of 16 bits, two destinations, and a pool of 4.
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1 4 1 4 1 1 0 | mutate 's/constant(value = 1)/constant(value = -128)/' 's/threshold_high = 100/threshold_high = 32767/' 's/threshold_low = -100/threshold_low = -32768/' - | nopt - -o /dev/null
// RUN: mutate 's/\[\[3, 2\]\] : tensor<1x2xi32>/[[3, 2], [3, 2]] : tensor<2x2xi32>/' %S/inputs/dynapcnn.mlir | nopt - | filecheck %s
// CHECK: destinations = #nopt.array<{{\[\[}}3, 2], [3, 2]] : tensor<2x2xi32>>
