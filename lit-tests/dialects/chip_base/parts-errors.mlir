// Indices are integers from 0.
// RUN: mutate 's/index = #nopt.array<\[0, 1\] : tensor<2xi32>>} : tensor<2xi1>/index = #nopt.array<[0, -1] : tensor<2xi32>>} : tensor<2xi1>/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=INDEX
// INDEX:      error[CHI001]: index has other numbers
// INDEX-NEXT:   at: loihi2.input "input/0"
// INDEX-NEXT:   expected: integers from 0
// INDEX-NEXT:   found: -1
// INDEX-NEXT:   help: compile the network again

// Output axons are lists of the same length, of neurons of the group.
// RUN: mutate 's/core = #nopt.array<\[0, 0, 2\] : tensor<3xi32>/core = #nopt.array<[0, 0] : tensor<2xi32>/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LENGTH
// RUN: mutate 's/neuron = #nopt.array<\[0, 1, 1\]/neuron = #nopt.array<[0, 1, 2]/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEURON
// LENGTH:     error[CHI001]: core has another shape
// LENGTH-NEXT:  at: loihi2.output_axons
// LENGTH-NEXT:  expected: [3]
// NEURON:     error[CHI002]: a destination belongs to no neuron
// NEURON-NEXT:  at: loihi2.output_axons
// NEURON-NEXT:  expected: a neuron below 2
// NEURON-NEXT:  found: 2

// The axons of a table ascend, and are those of the core.
// RUN: mutate 's/dense "fc1" {axons = #nopt.array<\[0, 1\]/dense "fc1" {axons = #nopt.array<[1, 0]/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ORDER
// RUN: mutate 's/sparse "fc1" {axons = #nopt.array<\[0\]/sparse "fc1" {axons = #nopt.array<[1]/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXON
// ORDER:      error[CHI001]: axons are not those of the core
// ORDER:        expected: ascending indices below 2
// ORDER-NEXT:   found: [1, 0]
// AXON:       error[CHI001]: axons are not those of the core
// AXON:         expected: ascending indices below 1

// The delay of an output has one entry, or one for each neuron.
// RUN: mutate 's/"lif1" {delay = #nopt.array<0 : tensor<i64>>}/"lif1" {delay = #nopt.array<[0, 1] : tensor<2xi64>>}/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OUTPUT
// OUTPUT:     error[CHI002]: delay has another shape
// OUTPUT:       expected: [] or [3]
