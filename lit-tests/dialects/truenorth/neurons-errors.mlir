// A switch of the crossbar is one bit.
// RUN: mutate 's/\[0, 1\], \[0, 1\]\] : tensor<4x2xi8>/[0, 2], [0, 2]] : tensor<4x2xi8>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SWITCH
// SWITCH:      error[TRN001]: a switch of the crossbar is not 0 or 1
// SWITCH-NEXT:   at: truenorth.neurons "one/0"
// SWITCH-NEXT:   expected: 0 or 1
// SWITCH-NEXT:   found: 2
// SWITCH-NEXT:   help: compile the network again

// The crossbar has a row for each row of the group, and a column for each axon of the core.
// RUN: mutate 's/\[\[1, 1\]\] : tensor<1x2xi8>/[[1]] : tensor<1x1xi8>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHAPE
// SHAPE:      error[CHI001]: crossbar has another shape
// SHAPE-NEXT:   at: truenorth.neurons "two/0"
// SHAPE-NEXT:   expected: [1, 2]
// SHAPE-NEXT:   found: [1, 1]
// SHAPE-NEXT:   help: compile the network again

// All parameters are present, and in their range.
// RUN: mutate 's/leak = #nopt.array<-1 : tensor<i32>>, //' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: mutate 's/reset_mode = #nopt.array<1 :/reset_mode = #nopt.array<3 :/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MODE
// RUN: mutate 's/leak = #nopt.array<-1 : tensor<i32>>/leak = #nopt.array<-1.5 : tensor<f32>>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=REALS
// MISSING:      error[TRN001]: the parameters are not those of a row
// MISSING-NEXT:   at: truenorth.neurons "one/0"
// MISSING-NEXT:   expected: leak, leak_reversal, threshold, negative_threshold, reset_potential, reset_mode, negative_mode, random_weights, random_leak, threshold_mask
// MISSING-NEXT:   found: leak_reversal, threshold, negative_threshold, reset_potential, reset_mode, negative_mode, random_weights, random_leak, threshold_mask
// MISSING-NEXT:   help: compile the network again
// MODE:      error[TRN001]: reset_mode is out of range
// MODE-NEXT:   at: truenorth.neurons "one/0"
// MODE-NEXT:   expected: 0 to 2
// MODE-NEXT:   found: 3
// MODE-NEXT:   help: compile the network again
// REALS:      error[TRN001]: leak is out of range
// REALS-NEXT:   at: truenorth.neurons "one/0"
// REALS-NEXT:   expected: -2147483648 to 2147483647
// REALS-NEXT:   found: numbers of f32
// REALS-NEXT:   help: compile the network again

// A copy of a neuron differs in its destination alone.
// RUN: mutate 's/\[9, 9, 300, 300\]/[9, 8, 300, 300]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COPY
// COPY:      error[TRN001]: the copies of a neuron differ
// COPY-NEXT:   at: truenorth.neurons "one/0"
// COPY-NEXT:   expected: threshold of row 0
// COPY-NEXT:   found: another in row 1
// COPY-NEXT:   help: compile the network again

// An axon of a type that a neuron has no weight for.
// RUN: mutate 's/\[7, -3, 0, 0\]/[7]/g' 's/\[0, 255, 0, 0\]/[0]/g' 's/tensor<4x4xi32>/tensor<4x1xi32>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TYPE
// TYPE:      error[TRN001]: an axon has a type without weights
// TYPE-NEXT:   at: truenorth.neurons "one/0"
// TYPE-NEXT:   expected: a type below 1
// TYPE-NEXT:   found: 1
// TYPE-NEXT:   help: compile the network again

// A destination of a row that the group does not have.
// RUN: mutate 's/row = #nopt.array<\[0\]/row = #nopt.array<[1]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROW
// ROW:      error[CHI002]: a destination belongs to no row
// ROW-NEXT:   at: truenorth.destinations
// ROW-NEXT:   expected: a row below 1
// ROW-NEXT:   found: 1
// ROW-NEXT:   help: compile the network again

// Weights are integers.
// RUN: mutate 's/\(weights = #nopt.array<[^:]*: tensor<[0-9x]*\)xi[0-9]*>/\1xf32>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FLOAT
// FLOAT:      error[CHI001]: weights has other numbers
