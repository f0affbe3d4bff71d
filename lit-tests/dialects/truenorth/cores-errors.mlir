// A core has a type for each axon.
// RUN: mutate 's/types = #nopt.array<\[0, 0\] : tensor<2xi32>/types = #nopt.array<[0] : tensor<1xi32>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TYPES
// TYPES:      error[CHI001]: types has another shape
// TYPES-NEXT:   at: truenorth.core
// TYPES-NEXT:   expected: [2]
// TYPES-NEXT:   found: [1]
// TYPES-NEXT:   help: compile the network again

// A packet has a delay.
// RUN: mutate 's/delay = #nopt.array<\[1, 1\] : tensor<2xi32>/delay = #nopt.array<[1] : tensor<1xi32>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DELAY
// DELAY:      error[CHI001]: delay has another shape
// DELAY-NEXT:   at: truenorth.packets
// DELAY-NEXT:   expected: [2]
// DELAY-NEXT:   found: [1]
// DELAY-NEXT:   help: compile the network again

// An output has a row of the bus for each neuron.
// RUN: mutate 's/rows = #nopt.array<\[0, 1\] : tensor<2xi32>/rows = #nopt.array<[0] : tensor<1xi32>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROWS
// ROWS:      error[CHI001]: rows has another shape
// ROWS-NEXT:   at: truenorth.output "first"
// ROWS-NEXT:   expected: [2]
// ROWS-NEXT:   found: [1]
// ROWS-NEXT:   help: compile the network again

// An axon without a sender, and a core that occurs twice.
// RUN: mutate 's/axons = 2 : i64, types = #nopt.array<\[0, 0\] : tensor<2xi32>/axons = 3 : i64, types = #nopt.array<[0, 0, 0] : tensor<3xi32>/' 's/\[\[1, 1\]\] : tensor<1x2xi8>/[[1, 1, 0]] : tensor<1x3xi8>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SENDER
// RUN: mutate 's/truenorth.core 1/truenorth.core 0/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TWICE
// SENDER:      error[CHI003]: an axon has no sender
// SENDER-NEXT:   at: truenorth.core
// SENDER-NEXT:   expected: a sender for each axon
// SENDER-NEXT:   found: none for axon 2
// SENDER-NEXT:   help: compile the network again
// TWICE:      error[CHI002]: two cores have the same number
// TWICE-NEXT:   at: truenorth.core
// TWICE-NEXT:   expected: each core once
// TWICE-NEXT:   found: 0
// TWICE-NEXT:   help: compile the network again
