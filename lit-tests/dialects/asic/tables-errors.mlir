// An exponent must make integers of 64 bits: the weight -7 needs 4 bits, and half of 3 is not an integer.
// RUN: mutate 's/: tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}/: tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, weight_exponent = 60 : i64}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LARGE
// LARGE:      error[CHI001]: weight_exponent is out of range
// LARGE-NEXT:   at: asic.dense "fc1"
// LARGE-NEXT:   expected: at most 59, and integers as weights
// LARGE-NEXT:   found: 60
// RUN: mutate 's/: tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}/: tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, weight_exponent = -1 : i64}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=HALF
// HALF:      error[CHI001]: weight_exponent is out of range
// HALF:        found: -1

// A matrix of weights must have a row for each axon and a column for each neuron.
// RUN: mutate 's/\[\[3, -7\], \[0, 5\]\] : tensor<2x2xi8>/[[3, -7, 0]] : tensor<1x3xi8>/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MATRIX
// MATRIX:      error[CHI001]: weight has another shape
// MATRIX-NEXT:   at: asic.dense "fc1"
// MATRIX-NEXT:   expected: [2, 2]
// MATRIX-NEXT:   found: [1, 3]
// MATRIX-NEXT:   help: compile the network again

// The axons of a table must ascend.
// RUN: mutate 's/axons = #nopt.array<\[0, 1\]/axons = #nopt.array<[1, 0]/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ORDER
// ORDER:      error[CHI001]: axons are not those of the core
// ORDER-NEXT:   at: asic.dense "fc1"
// ORDER-NEXT:   expected: ascending indices below 2
// ORDER-NEXT:   found: [1, 0]
// ORDER-NEXT:   help: compile the network again

// The axons of a table must be those of its core.
// RUN: mutate 's/axons = #nopt.array<\[0, 1\]/axons = #nopt.array<[0, 2]/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXON
// AXON:      error[CHI001]: axons are not those of the core
// AXON-NEXT:   at: asic.dense "fc1"
// AXON-NEXT:   expected: ascending indices below 2
// AXON-NEXT:   found: [0, 2]
// AXON-NEXT:   help: compile the network again

// A synapse must end at a neuron of the group.
// RUN: mutate 's/neuron = #nopt.array<\[0\] : tensor<1xi32>>}/neuron = #nopt.array<[1] : tensor<1xi32>>}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEURON
// NEURON:      error[CHI001]: neuron is not in the table
// NEURON-NEXT:   at: asic.sparse "fc1"
// NEURON-NEXT:   expected: indices below 1
// NEURON-NEXT:   found: 1
// NEURON-NEXT:   help: compile the network again

// A port must be an operand.
// RUN: mutate 's/port = 0 : i64, axons = #nopt.array<\[0, 1\]/port = -1 : i64, axons = #nopt.array<[0, 1]/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PORT
// PORT:      error[CHI001]: port is not an operand of the neuron
// PORT-NEXT:   at: asic.dense "fc1"
// PORT-NEXT:   expected: 0 or more
// PORT-NEXT:   found: -1
// PORT-NEXT:   help: compile the network again

// A sparse table has one delay, or one for each synapse.
// RUN: mutate 's/delay = #nopt.array<1 : tensor<i32>>, axon/delay = #nopt.array<[1, 1] : tensor<2xi32>>, axon/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DELAY
// DELAY:      error[CHI001]: delay has another shape
// DELAY-NEXT:   at: asic.sparse "fc1"
// DELAY-NEXT:   expected: [] or [1]
// DELAY-NEXT:   found: [2]
// DELAY-NEXT:   help: compile the network again

// A delay must not be negative.
// RUN: mutate 's/delay = #nopt.array<1 : tensor<i32>>, axon/delay = #nopt.array<-1 : tensor<i32>>, axon/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=EARLY
// EARLY:      error[CHI001]: delay has other numbers
// EARLY-NEXT:   at: asic.sparse "fc1"
// EARLY-NEXT:   expected: integers from 0
// EARLY-NEXT:   found: -1
// EARLY-NEXT:   help: compile the network again

// The delays of a matrix must broadcast to it.
// RUN: mutate 's/delay = #nopt.array<1 : tensor<i32>>}/delay = #nopt.array<[1, 1] : tensor<2xi32>>}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=GRID
// GRID:      error[CHI001]: delay has another shape
// GRID-NEXT:   at: asic.dense "fc1"
// GRID-NEXT:   expected: [], or a shape that broadcasts to [2, 2]
// GRID-NEXT:   found: [2]
// GRID-NEXT:   help: compile the network again

// Only real sums have a scale.
// RUN: mutate 's/{format = "dense",/{format = "dense", scale = #nopt.array<0.5 : tensor<f64>>,/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SCALE
// SCALE:      error[CHI001]: scale is not one of real sums
// SCALE-NEXT:   at: asic.dense "fc1"
// SCALE-NEXT:   expected: the types of sums and of weights
// SCALE-NEXT:   found: no type
// SCALE-NEXT:   help: compile the network again

// Only real sums have a divisor.
// RUN: mutate 's/{format = "dense",/{format = "dense", divisor = 4 : i64,/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DIVISOR
// DIVISOR:      error[CHI001]: divisor is not one of real sums
// DIVISOR-NEXT:   at: asic.dense "fc1"
// DIVISOR-NEXT:   expected: 1 or more, with sums
// DIVISOR-NEXT:   found: 4
// DIVISOR-NEXT:   help: compile the network again

// Integer sums have no real weights.
// RUN: mutate 's/\[\[3, -7\], \[0, 5\]\] : tensor<2x2xi8>/[[3.0, -7.5], [0.0, 5.0]] : tensor<2x2xf32>/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=REALS
// REALS:      error[CHI001]: weight has other numbers
// REALS-NEXT:   at: asic.dense "fc1"
// REALS-NEXT:   expected: integers, without sums
// REALS-NEXT:   found: float32
// REALS-NEXT:   help: compile the network again

// A bias must have a number for each neuron.
// RUN: mutate 's/{format = "dense",/{format = "dense", bias = #nopt.array<[1, 2, 3] : tensor<3xi8>>,/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS:      error[CHI001]: bias has another shape
// BIAS-NEXT:   at: asic.dense "fc1"
// BIAS-NEXT:   expected: [] or [2]
// BIAS-NEXT:   found: [3]
// BIAS-NEXT:   help: compile the network again

// Synapses must be sorted by axon, then by neuron.
// RUN: mutate 's/\[\[3, -7\], \[0, 5\]\] : tensor<2x2xi8>/[3, -7] : tensor<2xi8>/' 's/asic.dense "fc1" {format = "dense"/asic.sparse "fc1" {axon = #nopt.array<[1, 0] : tensor<2xi32>>, neuron = #nopt.array<[0, 1] : tensor<2xi32>>, format = "sparse"/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SORTED
// SORTED:      error[CHI001]: synapses are not sorted
// SORTED-NEXT:   at: asic.sparse "fc1"
// SORTED-NEXT:   expected: by axon, then by neuron
// SORTED-NEXT:   found: another order
// SORTED-NEXT:   help: compile the network again

// The lists of destinations must have one length.
// RUN: mutate 's/axon = #nopt.array<\[0, 1, 0\] : tensor<3xi32>>/axon = #nopt.array<[0, 1] : tensor<2xi32>>/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DESTINATION
// DESTINATION:      error[CHI001]: axon has another shape
// DESTINATION-NEXT:   at: asic.output_axons
// DESTINATION-NEXT:   expected: [3]
// DESTINATION-NEXT:   found: [2]
// DESTINATION-NEXT:   help: compile the network again
