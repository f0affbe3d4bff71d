// Maps, strides and padding have one number for each axis.
// RUN: mutate '/"c2"/s/stride = #nopt.array<\[1, 1\]/stride = #nopt.array<[1, 0]/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STRIDE
// STRIDE:      <stdin>:5:5: error[CHI010]: stride is invalid
// STRIDE-NEXT:   at: dynapcnn.cnn_layer "c2"
// STRIDE-NEXT:   expected: 2 integers from 1
// STRIDE-NEXT:   found: [1, 0]
// STRIDE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// Kernels are integers [f, c, kx, ky], as many as the maps have features.
// RUN: mutate '/"c2"/s/constant(value = -2) : tensor<5x4x2x2xi8>/constant(value = -2) : tensor<5x4x4xi8>/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=RANK
// RUN: mutate '/"c2"/s/tensor<5x4x2x2xi8>/tensor<5x3x2x2xi8>/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=CHANNELS
// RANK:      <stdin>:5:5: error[CHI010]: weights are not kernels
// RANK-NEXT:   at: dynapcnn.cnn_layer "c2"
// RANK-NEXT:   expected: integers of shape [f, c, kx, ky]
// RANK-NEXT:   found: [5, 4, 4]
// RANK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// CHANNELS:      <stdin>:5:5: error[CHI010]: the weights do not match the maps
// CHANNELS-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHANNELS-NEXT:   expected: [5, 4, kx, ky], as the maps have
// CHANNELS-NEXT:   found: [5, 3, 2, 2]
// CHANNELS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// There is a bias for each filter, which leak_enable adds.
// RUN: mutate 's/\[1, 0, -2, 0\] : tensor<4xi8>/[1, 0, -2] : tensor<3xi8>/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BIASES
// RUN: mutate 's/return_to_zero, monitor_enable/leak_enable, monitor_enable/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=LEAK
// BIASES:      <stdin>:4:5: error[CHI010]: the biases do not match the filters
// BIASES-NEXT:   at: dynapcnn.cnn_layer "c1"
// BIASES-NEXT:   expected: 4 integers
// BIASES-NEXT:   found: (3,)
// BIASES-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// LEAK:      <stdin>:5:5: error[CHI010]: leak_enable adds biases
// LEAK-NEXT:   at: dynapcnn.cnn_layer "c2"
// LEAK-NEXT:   expected: biases
// LEAK-NEXT:   found: none
// LEAK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// A destination is a layer and a pooling; the output map has the positions of the kernel.
// RUN: mutate 's/\[\[3, 2\]\] : tensor<1x2xi32>/[3, 2] : tensor<2xi32>/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=ROWS
// RUN: mutate 's/\[5, 3, 2\]/[5, 3, 3]/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POSITIONS
// ROWS:      <stdin>:4:5: error[CHI010]: destinations are invalid
// ROWS-NEXT:   at: dynapcnn.cnn_layer "c1"
// ROWS-NEXT:   expected: rows of layer and pooling
// ROWS-NEXT:   found: [2]
// ROWS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// POSITIONS:      <stdin>:5:5: error[CHI010]: output_shape differs from the positions of the kernel
// POSITIONS-NEXT:   at: dynapcnn.cnn_layer "c2"
// POSITIONS-NEXT:   expected: x, y = [3, 2]
// POSITIONS-NEXT:   found: [3, 3]
// POSITIONS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// The threshold is above 0, and the lower bound is not.
// RUN: mutate 's/threshold_high = 200/threshold_high = 0/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=HIGH
// RUN: mutate 's/threshold_low = -100/threshold_low = 1/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=LOW
// HIGH:      <stdin>:5:5: error[CHI010]: thresholds are invalid
// HIGH-NEXT:   at: dynapcnn.cnn_layer "c2"
// HIGH-NEXT:   expected: threshold_high from 1, threshold_low up to 0
// HIGH-NEXT:   found: 0, -32768
// HIGH-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// LOW:      <stdin>:4:5: error[CHI010]: thresholds are invalid
// LOW-NEXT:   at: dynapcnn.cnn_layer "c1"
// LOW-NEXT:   expected: threshold_high from 1, threshold_low up to 0
// LOW-NEXT:   found: 100, 1
// LOW-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// The first feature of a layer is not negative.
// RUN: mutate 's/feature_shift = 2/feature_shift = -1/' %S/inputs/dynapcnn_parts.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SHIFT
// SHIFT:      <stdin>:5:5: error[CHI010]: feature_shift is invalid
// SHIFT-NEXT:   at: dynapcnn.cnn_layer "c1"
// SHIFT-NEXT:   expected: an integer from 0
// SHIFT-NEXT:   found: -1
// SHIFT-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
