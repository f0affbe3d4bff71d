// Terminals are sorted, and a site of a neuron is listed once.
// RUN: mutate '/"fc1"/s/neuron = #nopt.array<\[0, 0, 1, 2\]/neuron = #nopt.array<[0, 2, 1, 2]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ORDER
// RUN: mutate '/"fc1"/s/column = #nopt.array<\[0, 1, 0, 1\]/column = #nopt.array<[0, 0, 0, 1]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ORDER
// ORDER:      error[CHI001]: terminals are not sorted
// ORDER-NEXT:   at: neurogrid.terminals "fc1"
// ORDER-NEXT:   expected: each site of a neuron once, by neuron, core, synapse, row and column
// ORDER-NEXT:   found: another order

// Each has at least one event, and all arrays have one shape.
// RUN: mutate '/"fc1"/s/\[1, 2, 1, 1\]/[1, 0, 1, 1]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NONE
// RUN: mutate '/"fc1"/s/\[1, 2, 1, 1\]/[1, -2, 1, 1]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEGATIVE
// RUN: mutate '/"fc1"/s/row = #nopt.array<\[0, 0, 0, 0\] : tensor<4xi32>/row = #nopt.array<[0, 0, 0] : tensor<3xi32>/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHAPE
// NONE:       error[CHI001]: a terminal without events
// NEGATIVE:   error[CHI001]: events has other numbers
// SHAPE:      error[CHI001]: row has another shape

// Terminals have neither weights, nor delays, nor plasticity.
// RUN: mutate '/"fc1"/s/{neuron/{weight = 0.5 : f64, neuron/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=WEIGHT
// RUN: mutate '/"fc1"/s/{neuron/{delay = 1 : i64, neuron/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DELAY
// RUN: mutate '/"fc1"/s/{neuron/{plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>, neuron/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LEARN
// WEIGHT:     error[COR009]: neurogrid.terminals has no property 'weight'
// DELAY:      error[COR009]: neurogrid.terminals has no property 'delay'
// LEARN:      error[COR009]: neurogrid.terminals has no property 'plasticity'
