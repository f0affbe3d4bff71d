// Layers form one sequence, which reads the input of the network.
// RUN: mutate '/akida.conv/,/^    }/d' '/akida.sep/,/^    }/d' '/akida.fully/,/^    }/d' '/akida.output/d' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=EMPTY
// RUN: mutate 's/"s2" of/"c1" of/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: mutate '/"s2"/s/\[4, 4, 2\]/[4, 3, 2]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SHAPE
// RUN: mutate '/"fc" of/s/\[4, 4, 2\]/[1, 1, 32]/' '/FNP3/s/0, 0, 4, 4/0, 0, 1, 1/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: mutate '/"s2"/s/, act_bits = 1 : i64, threshold = #nopt.array<\[0, 1\] : tensor<2xi32>>, act_step = #nopt.array<\[1.0, 1.0\] : tensor<2xf32>>//' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POTENTIALS
// RUN: mutate '/akida.input_data/d' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NOINPUT
// RUN: mutate 's/"out" of "fc"/"out" of "n2"/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=OUTPUT
// RUN: mutate 's/tensor<2xi32>$/tensor<3xi32>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SIZE
// EMPTY:      error[CHI011]: a model has no layer
// EMPTY-NEXT:   at: akida.model @net
// EMPTY-NEXT:   expected: at least one layer
// EMPTY-NEXT:   found: none
// EMPTY-NEXT:   help: compile the network again
// TWICE:      error[CHI011]: two layers have the same name
// TWICE-NEXT:   at: akida.model @net
// TWICE-NEXT:   expected: each name once
// TWICE-NEXT:   found: c1
// TWICE-NEXT:   help: compile the network again
// SHAPE:      error[CHI011]: a layer reads another map than the layer before produces
// SHAPE-NEXT:   at: akida.separable_convolutional "s2"
// SHAPE-NEXT:   expected: [4, 4, 2]
// SHAPE-NEXT:   found: [4, 3, 2]
// SHAPE-NEXT:   help: compile the network again
// POTENTIALS:      error[CHI011]: potentials of a layer are the input of another one
// POTENTIALS-NEXT:   at: akida.separable_convolutional "s2"
// POTENTIALS-NEXT:   expected: act_bits of 1, 2 or 4
// POTENTIALS-NEXT:   found: a layer without activation
// POTENTIALS-NEXT:   help: compile the network again
// NOINPUT:      error[CHI011]: the input of a model is read by an input convolution or by akida.input_data
// NOINPUT-NEXT:   at: akida.model @net
// NOINPUT-NEXT:   expected: one of them
// NOINPUT-NEXT:   found: neither
// NOINPUT-NEXT:   help: compile the network again
// OUTPUT:      error[CHI011]: an output is not that of the last layer
// OUTPUT-NEXT:   at: akida.output "out"
// OUTPUT-NEXT:   expected: fc
// OUTPUT-NEXT:   found: n2
// OUTPUT-NEXT:   help: compile the network again
// SIZE:      error[CHI011]: the type of an output differs from its layer
// SIZE-NEXT:   at: akida.output "out"
// SIZE-NEXT:   expected: 2
// SIZE-NEXT:   found: 3
// SIZE-NEXT:   help: compile the network again

// Passes have numbers from 0, in the order of the layers.
// RUN: mutate '/"c1" of/s/weights_bits/pass_number = 1 : i64, weights_bits/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=FIRST
// RUN: mutate '/"s2" of/s/weights_bits/pass_number = 2 : i64, weights_bits/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STEP
// RUN: mutate 's/ip_version/machine.set = ["features.passes=2"], ip_version/' '/"s2" of/s/weights_bits/pass_number = 1 : i64, weights_bits/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BACK
// FIRST:      error[CHI011]: the passes of layers do not follow each other
// FIRST-NEXT:   at: akida.convolutional "c1"
// FIRST-NEXT:   expected: pass_number = 0
// FIRST-NEXT:   found: 1
// STEP:      error[CHI011]: the passes of layers do not follow each other
// STEP-NEXT:   at: akida.separable_convolutional "s2"
// STEP-NEXT:   expected: pass_number = 0 or 1
// STEP-NEXT:   found: 2
// BACK:      error[CHI011]: the passes of layers do not follow each other
// BACK-NEXT:   at: akida.fully_connected "fc"
// BACK-NEXT:   expected: pass_number = 1 or 2
// BACK-NEXT:   found: 0

// The instruction set, the tick, the name of an image, and outputs of other values.
// RUN: mutate 's/ip_version = "v1"/ip_version = "v7"/' %S/inputs/akida.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=VERSION
// RUN: mutate 's/tick_ns = [0-9]* /tick_ns = 0 /' %S/inputs/akida.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LENGTH
// RUN: mutate 's/akida.output "out".*xi32>/&\n&/' %S/inputs/akida.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=REPEATED
// RUN: mutate '/akida.output "out"/s/xi32>/xi1>/' %S/inputs/akida.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NARROW
// VERSION:   error[CHI011]: another instruction set
// VERSION:     expected: v1
// VERSION-NEXT: found: v7
// LENGTH:      error[CHI011]: the length of a tick is not positive
// REPEATED:     error[CHI011]: two outputs have the same name
// NARROW:    error[CHI011]: an output does not hold the values of its layer
