// A core counts the tags that its synapses read.
// RUN: mutate 's/axons = 3/axons = 5/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXONS
// AXONS:         error[CHI002]: axons are not the tags of the core
// AXONS-NEXT:      at: dynapse.core
// AXONS-NEXT:      expected: 3
// AXONS-NEXT:      found: 5

// A current has 0 to 255 steps, and a core has four.
// RUN: mutate 's/\[0, 1, 2, 255\]/[255, 255, 255, 0]/' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/\[0, 1, 2, 255\]/[0, 1, 2, 256]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=STEPS
// RUN: mutate 's/\[0, 1, 2, 255\]/[-1, 1, 2, 255]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BELOW
// RUN: mutate 's/\[0, 1, 2, 255\] : tensor<4xi32>/[0, 1, 2] : tensor<3xi32>/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=THREE
// RUN: mutate 's/\[0, 1, 2, 255\] : tensor<4xi32>/[0.0, 1.0, 2.0, 255.0] : tensor<4xf32>/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=REALS
// STEPS:         error[DSN001]: currents of weights are inconsistent
// STEPS-NEXT:      at: dynapse.neurons "two/0"
// STEPS-NEXT:      expected: 0 to 255 steps
// STEPS-NEXT:      found: 0 to 256
// STEPS-NEXT:      help: compile the network again
// BELOW:         error[DSN001]
// BELOW:           expected: 0 to 255 steps
// BELOW-NEXT:      found: -1 to 255
// THREE:         error[DSN001]
// THREE:           expected: 4 integers
// THREE-NEXT:      found: int32 of shape [3]
// REALS:         error[DSN001]
// REALS:           expected: 4 integers
// REALS-NEXT:      found: float32 of shape [4]

// All groups of a core have the currents of the first.
// RUN: mutate '/^  dynapse.core 1/,/^  }/d' '/^      dynapse.destinations {neuron = #nopt.array<\[0, 1\]/,+1d' %S/inputs/dynapse.mlir > %t.one
// RUN: mutate '/^  dynapse.core 1/,/^  }/!d' '/dynapse.core/d' '/^  }/d' 's/\[3, 4, 3, 4\]/[2, 3, 2, 3]/' %S/inputs/dynapse.mlir > %t.two
// RUN: mutate 's/axons = 3/axons = 4/' '/^      dynapse.synapses/r %t.two' %t.one | mutate 's/^    dynapse.neurons "two/    }\n&/' - > %t.both
// RUN: not nopt %t.both 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER:         error[DSN001]: a core has other currents
// OTHER-NEXT:      at: dynapse.neurons "two/0"
// OTHER-NEXT:      expected: [17, 34, 68, 136]
// OTHER-NEXT:      found: [0, 1, 2, 255]
// OTHER-NEXT:      help: compile the network again

// With the same currents, the parameters of the core differ: it has one decay for both.
// RUN: mutate 's/\[0, 1, 2, 255\]/[17, 34, 68, 136]/' %t.both | not nopt - 2>&1 | filecheck %s --check-prefix=CLASSES
// CLASSES:       error[DEV016]: classes of biases 2 exceed the limit 1
// CLASSES-NEXT:    at: dynapse.core
// CLASSES-NEXT:    expected: at most 1 class (dynapse/se2, core.shared.biases.classes: {{.*}})
// CLASSES-NEXT:    found: 2 classes

// A parameter is one number, or one for each neuron.
// RUN: mutate 's/i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>/i_spkthr = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf64>>/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHAPE
// SHAPE:         error[CHI002]: parameter i_spkthr has another shape
// SHAPE-NEXT:      at: dynapse.neurons "one/0"
// SHAPE-NEXT:      expected: [] or [2]
// SHAPE-NEXT:      found: [3]
