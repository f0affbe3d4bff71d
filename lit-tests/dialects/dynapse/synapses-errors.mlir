// Synapses are sorted by neuron, then by tag; destinations by neuron.
// RUN: mutate 's/tag = #nopt.array<\[3, 4, 3, 4\]/tag = #nopt.array<[4, 3, 3, 4]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ORDER
// RUN: mutate 's/neuron = #nopt.array<\[0, 0, 1, 1\]/neuron = #nopt.array<[0, 1, 0, 1]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ORDER
// RUN: mutate 's/dynapse.destinations {neuron = #nopt.array<\[0, 1\]/dynapse.destinations {neuron = #nopt.array<[1, 0]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=EVENTS
// ORDER:       error[CHI001]: synapses are not sorted
// ORDER-NEXT:    at: dynapse.synapses
// ORDER-NEXT:    expected: by neuron, then by tag
// ORDER-NEXT:    found: another order
// EVENTS:      error[CHI001]: destinations are not sorted
// EVENTS-NEXT:   at: dynapse.destinations
// EVENTS-NEXT:   expected: by neuron

// All columns have the same shape.
// RUN: mutate 's/tag = #nopt.array<\[3, 4, 3, 4\] : tensor<4xi32>/tag = #nopt.array<[3, 4, 3] : tensor<3xi32>/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHAPE
// RUN: mutate 's/tag = #nopt.array<\[3, 4\] : tensor<2xi32>/tag = #nopt.array<[3] : tensor<1xi32>/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TAGS
// SHAPE:       error[CHI001]: tag has another shape
// SHAPE:         expected: [4]
// SHAPE-NEXT:    found: [3]
// TAGS:        error[CHI001]: tag has another shape
// TAGS:          expected: [2]
// TAGS-NEXT:     found: [1]

// A mask selects a subset of four currents: 15 is the largest. A synapse is excitatory, 0, or inhibitory, 1.
// RUN: mutate 's/mask = #nopt.array<\[8, 2, 6, 8\]/mask = #nopt.array<[0, 2, 6, 15]/' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/mask = #nopt.array<\[8, 2, 6, 8\]/mask = #nopt.array<[8, 2, 6, 16]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MASK
// RUN: mutate 's/is_inhibitory = #nopt.array<\[0, 0, 0, 1\]/is_inhibitory = #nopt.array<[0, 0, 0, 2]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SIGN
// RUN: mutate 's/tag = #nopt.array<\[3, 4, 3, 4\]/tag = #nopt.array<[-1, 4, 3, 4]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEGATIVE
// MASK:        error[CHI001]: mask is out of range
// MASK:          expected: a number below 16
// MASK-NEXT:     found: 16
// SIGN:        error[CHI001]: is_inhibitory is out of range
// SIGN:          expected: a number below 2
// SIGN-NEXT:     found: 2
// NEGATIVE:    error[CHI001]: tag has other numbers
// NEGATIVE:      expected: integers from 0
// NEGATIVE-NEXT: found: -1

// A destination has at least one core of its chip, and a mask of four cores.
// RUN: mutate 's/cores = #nopt.array<\[2, 2\]/cores = #nopt.array<[15, 2]/' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/cores = #nopt.array<\[2, 2\]/cores = #nopt.array<[0, 2]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NONE
// RUN: mutate 's/cores = #nopt.array<\[2, 2\]/cores = #nopt.array<[16, 2]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FIVE
// NONE:        error[CHI001]: cores is out of range
// NONE:          expected: 1 to 15
// NONE-NEXT:     found: 0 to 2
// FIVE:        error[CHI001]: cores is out of range
// FIVE:          expected: 1 to 15
// FIVE-NEXT:     found: 2 to 16

// Both belong to neurons of their group, or to entries of their input.
// RUN: mutate 's/neuron = #nopt.array<\[0, 0, 1, 1\]/neuron = #nopt.array<[0, 0, 1, 2]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEURON
// RUN: mutate 's/dynapse.destinations {neuron = #nopt.array<\[0, 1\]/dynapse.destinations {neuron = #nopt.array<[0, 2]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SENDER
// RUN: mutate 's/dynapse.destinations {neuron = #nopt.array<\[0, 1, 2\]/dynapse.destinations {neuron = #nopt.array<[0, 1, 3]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ENTRY
// NEURON:      error[CHI001]: neuron is not in the group
// NEURON:        expected: a neuron below 2
// NEURON-NEXT:   found: 2
// SENDER:      error[CHI001]: a destination belongs to no neuron
// SENDER:        expected: a neuron below 2
// SENDER-NEXT:   found: 2
// ENTRY:       error[CHI001]: a destination belongs to no neuron
// ENTRY:         expected: a neuron below 3
// ENTRY-NEXT:    found: 3
