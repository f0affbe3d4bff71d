// A map that is read has at most 128 positions along an axis, and one that is computed at most 64.
// RUN: sh %S/inputs/dynapcnn_layer.sh 0 1 129 1 33 1 4 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=INPUT
// RUN: sh %S/inputs/dynapcnn_layer.sh 0 1 65 1 65 1 1 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=OUTPUT
// INPUT:      <stdin>:4:5: error[DYN003]: the input map is too large
// INPUT-NEXT:   at: dynapcnn.cnn_layer "c"
// INPUT-NEXT:   expected: at most 128 positions along an axis (dynapcnn/speck2f, features.input_size: {{.*}})
// INPUT-NEXT:   found: 129 positions along an axis
// INPUT-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// INPUT-NEXT:   note: pool the map before the layer, or use a stride of 2
// OUTPUT:      <stdin>:4:5: error[DYN003]: the output map is too large
// OUTPUT-NEXT:   at: dynapcnn.cnn_layer "c"
// OUTPUT-NEXT:   expected: at most 64 positions along an axis (dynapcnn/speck2f, features.output_size: {{.*}})
// OUTPUT-NEXT:   found: 65 positions along an axis
// OUTPUT-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// OUTPUT-NEXT:   note: pool the map before the layer, or use a stride of 2
// A layer has at most 1024 channels and 1024 filters.
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1025 1 1 1 1 1 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=CHANNELS
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1 1 1025 1 1 1 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=FILTERS
// CHANNELS:      <stdin>:4:5: error[DYN003]: a layer reads too many features
// CHANNELS-NEXT:   at: dynapcnn.cnn_layer "c"
// CHANNELS-NEXT:   expected: at most 1024 channels (dynapcnn/speck2f, features.channels_in: {{.*}})
// CHANNELS-NEXT:   found: 1025 channels
// CHANNELS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// CHANNELS-NEXT:   note: give the layer before fewer filters, or pool its map
// FILTERS:      <stdin>:4:5: error[DYN003]: a layer has too many filters
// FILTERS-NEXT:   at: dynapcnn.cnn_layer "c"
// FILTERS-NEXT:   expected: at most 1024 channels (dynapcnn/speck2f, features.channels_out: {{.*}})
// FILTERS-NEXT:   found: 1025 channels
// FILTERS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// FILTERS-NEXT:   note: give the layer fewer filters
// Kernels are square, of at most 16 taps; strides are 1, 2, 4 or 8; padding is at most 7.
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1 17 1 1 17 1 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=KERNEL
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1 4 1 4 1 1 0 | mutate 's/tensor<1x1x1x1xi8>/tensor<1x1x1x2xi8>/' 's/\[1, 4, 4\] : tensor<3xi32>>, weights/[1, 4, 3] : tensor<3xi32>>, weights/' - | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SQUARE
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1 16 1 1 1 16 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STRIDE
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1 4 1 2 1 3 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=THREE
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1 4 1 5 16 1 8 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=PADDING
// KERNEL:      <stdin>:4:5: error[DYN004]: the kernel is too large
// KERNEL-NEXT:   at: dynapcnn.cnn_layer "c"
// KERNEL-NEXT:   expected: at most 16 taps (dynapcnn/speck2f, features.kernel: {{.*}})
// KERNEL-NEXT:   found: 17 taps
// KERNEL-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// KERNEL-NEXT:   note: use several layers with smaller kernels, or pool the map before a dense layer
// SQUARE:      <stdin>:4:5: error[DYN004]: the kernel is not square
// SQUARE-NEXT:   at: dynapcnn.cnn_layer "c"
// SQUARE-NEXT:   expected: one kernel_size for both axes (dynapcnn/speck2f, features.kernel: {{.*}})
// SQUARE-NEXT:   found: 1 x 2
// SQUARE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// SQUARE-NEXT:   note: fill the kernel with zeros to a square one
// STRIDE:      <stdin>:4:5: error[DYN004]: the stride is too large
// STRIDE-NEXT:   at: dynapcnn.cnn_layer "c"
// STRIDE-NEXT:   expected: at most 8 elements (dynapcnn/speck2f, features.stride: {{.*}})
// STRIDE-NEXT:   found: 16 elements
// STRIDE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// STRIDE-NEXT:   note: use a stride of 1, 2, 4 or 8, or a sum pool
// THREE:      <stdin>:4:5: error[DYN004]: the stride is not a power of two
// THREE-NEXT:   at: dynapcnn.cnn_layer "c"
// THREE-NEXT:   expected: a power of two up to 8 (dynapcnn/speck2f, features.stride: {{.*}})
// THREE-NEXT:   found: 3 x 3
// THREE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// THREE-NEXT:   note: use a stride of 1, 2, 4 or 8, or a sum pool of 2 x 2 or 4 x 4
// PADDING:      <stdin>:4:5: error[DYN004]: the padding is too large
// PADDING-NEXT:   at: dynapcnn.cnn_layer "c"
// PADDING-NEXT:   expected: at most 7 elements (dynapcnn/speck2f, features.padding: {{.*}})
// PADDING-NEXT:   found: 8 elements
// PADDING-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// PADDING-NEXT:   note: use a smaller padding
// Weights and biases have 8 bits, thresholds 16.
// RUN: mutate 's/constant(value = 3) : tensor<4x2x3x3xi8>/constant(value = 128) : tensor<4x2x3x3xi16>/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WEIGHT
// RUN: mutate 's/\[1, 0, -2, 0\] : tensor<4xi8>/[1, 0, -129, 0] : tensor<4xi16>/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BIAS
// RUN: mutate 's/threshold_high = 100/threshold_high = 32768/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=THRESHOLD
// WEIGHT:      <stdin>:4:5: error[DYN005]: a weight exceeds its bits
// WEIGHT-NEXT:   at: dynapcnn.cnn_layer "c1"
// WEIGHT-NEXT:   expected: -128 to 127: 8 bits (dynapcnn/speck2f, synapse.bits: {{.*}})
// WEIGHT-NEXT:   found: 0 to 128
// WEIGHT-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// BIAS:      <stdin>:4:5: error[DYN005]: a bias exceeds its bits
// BIAS-NEXT:   at: dynapcnn.cnn_layer "c1"
// BIAS-NEXT:   expected: -128 to 127: 8 bits (dynapcnn/speck2f, synapse.bits: {{.*}})
// BIAS-NEXT:   found: -129 to 1
// BIAS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// THRESHOLD:      <stdin>:4:5: error[DYN005]: a threshold exceeds its bits
// THRESHOLD-NEXT:   at: dynapcnn.cnn_layer "c1"
// THRESHOLD-NEXT:   expected: -32768 to 32767: 16 bits (dynapcnn/speck2f, features.threshold_bits: {{.*}})
// THRESHOLD-NEXT:   found: -100 to 32768
// THRESHOLD-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// A core has two destinations, with pools of 1, 2 or 4.
// RUN: mutate 's/\[\[3, 2\]\] : tensor<1x2xi32>/[[3, 2], [3, 2], [3, 2]] : tensor<3x2xi32>/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=THIRD
// RUN: mutate 's/\[\[3, 2\]\]/[[3, 3]]/' '/"c2"/s/\[4, 4, 3\]/[4, 2, 2]/' 's/\[5, 3, 2\]/[5, 1, 1]/' 's/tensor<5x2x3x!/tensor<5x1x1x!/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POOL
// RUN: mutate 's/\[\[3, 2\]\]/[[3, 8]]/' 's/\[2, 8, 6\]/[2, 16, 16]/g' 's/\[4, 8, 6\]/[4, 16, 16]/' '/"c2"/s/\[4, 4, 3\]/[4, 2, 2]/' 's/\[5, 3, 2\]/[5, 1, 1]/' 's/tensor<5x2x3x!/tensor<5x1x1x!/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=EIGHT
// THIRD:      <stdin>:4:5: error[DYN007]: a layer has too many destinations
// THIRD-NEXT:   at: dynapcnn.cnn_layer "c1"
// THIRD-NEXT:   expected: at most 2 cores (dynapcnn/speck2f, core.fan_out: {{.*}})
// THIRD-NEXT:   found: 3 cores
// THIRD-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// POOL:      <stdin>:4:5: error[DYN007]: the pool of a destination is not a power of two
// POOL-NEXT:   at: dynapcnn.cnn_layer "c1"
// POOL-NEXT:   expected: a power of two up to 4 (dynapcnn/speck2f, features.pool: {{.*}})
// POOL-NEXT:   found: 3
// POOL-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// POOL-NEXT:   note: use a stride of 1, 2, 4 or 8, or a sum pool of 2 x 2 or 4 x 4
// EIGHT:      <stdin>:4:5: error[DYN007]: the pool of a destination is too large
// EIGHT-NEXT:   at: dynapcnn.cnn_layer "c1"
// EIGHT-NEXT:   expected: at most 4 elements (dynapcnn/speck2f, features.pool: {{.*}})
// EIGHT-NEXT:   found: 8 elements
// EIGHT-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// The memory of each kind of cores: one channel, filter or tap more is rounded up to the next power of two.
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1024 1 17 1 1 1 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SMALL
// RUN: sh %S/inputs/dynapcnn_layer.sh 3 65 4 32 1 4 1 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=MEDIUM
// RUN: sh %S/inputs/dynapcnn_layer.sh 5 128 4 33 1 4 1 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: sh %S/inputs/dynapcnn_layer.sh 7 1 33 5 33 1 1 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NEURONS
// RUN: sh %S/inputs/dynapcnn_layer.sh 2 1 64 17 64 1 1 0 | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=MAPS
// SMALL:      <stdin>:4:5: error[DYN006]: the kernel memory of core 7 is too small for a layer
// SMALL-NEXT:   at: dynapcnn.cnn_layer "c"
// SMALL-NEXT:   expected: at most 16384 bytes (dynapcnn/speck2f, core_kinds.small.memory.kernel.bytes: {{.*}})
// SMALL-NEXT:   found: 32768 bytes
// SMALL-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// SMALL-NEXT:   note: give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two
// MEDIUM:      <stdin>:4:5: error[DYN006]: the kernel memory of core 3 is too small for a layer
// MEDIUM-NEXT:   at: dynapcnn.cnn_layer "c"
// MEDIUM-NEXT:   expected: at most 32768 bytes (dynapcnn/speck2f, core_kinds.medium.memory.kernel.bytes: {{.*}})
// MEDIUM-NEXT:   found: 33280 bytes
// MEDIUM-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// MEDIUM-NEXT:   note: give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two
// LARGE:      <stdin>:4:5: error[DYN006]: the kernel memory of core 5 is too small for a layer
// LARGE-NEXT:   at: dynapcnn.cnn_layer "c"
// LARGE-NEXT:   expected: at most 65536 bytes (dynapcnn/speck2f, core_kinds.large_kernels.memory.kernel.bytes: {{.*}})
// LARGE-NEXT:   found: 131072 bytes
// LARGE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// LARGE-NEXT:   note: give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two
// NEURONS:      <stdin>:4:5: error[DYN006]: the neuron memory of core 7 is too small for a layer
// NEURONS-NEXT:   at: dynapcnn.cnn_layer "c"
// NEURONS-NEXT:   expected: at most 32768 bytes (dynapcnn/speck2f, core_kinds.small.memory.neuron.bytes: {{.*}})
// NEURONS-NEXT:   found: 40960 bytes
// NEURONS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// NEURONS-NEXT:   note: give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two
// MAPS:      <stdin>:4:5: error[DYN006]: the neuron memory of core 2 is too small for a layer
// MAPS-NEXT:   at: dynapcnn.cnn_layer "c"
// MAPS-NEXT:   expected: at most 131072 bytes (dynapcnn/speck2f, core_kinds.large_maps.memory.neuron.bytes: {{.*}})
// MAPS-NEXT:   found: 139264 bytes
// MAPS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// MAPS-NEXT:   note: give the layer fewer filters, or its kernel fewer taps: the memory is rounded up to powers of two
