// Each group must have a name of its own.
// RUN: mutate 's/"lif1\/1" of/"lif1\/0" of/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NAME
// NAME:      error[CHI002]: two groups have the same name
// NAME-NEXT:   at: asic.neurons "lif1/0"
// NAME-NEXT:   expected: each name once
// NAME-NEXT:   found: lif1/0
// NAME-NEXT:   help: compile the network again

// Each core must be listed once.
// RUN: mutate 's/asic.core 2/asic.core 0/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CORE
// CORE:      error[CHI002]: two cores have the same number
// CORE-NEXT:   at: asic.core
// CORE-NEXT:   expected: each core once
// CORE-NEXT:   found: 0
// CORE-NEXT:   help: compile the network again

// The groups must hold each neuron of a population once.
// RUN: mutate 's/index = #nopt.array<\[2\]/index = #nopt.array<[1]/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COVER
// COVER:      error[CHI002]: the groups are not the population
// COVER-NEXT:   at: asic.neurons "lif1/0"
// COVER-NEXT:   expected: each of 3 neurons once
// COVER-NEXT:   found: 3 in 2 groups of type tensor<3xi1>, tensor<3xi1>
// COVER-NEXT:   help: compile the network again

// An output must have a source.
// RUN: mutate 's/"output" of "lif1"/"output" of "lif2"/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OUTPUT
// OUTPUT:      error[CHI002]: an output of nothing
// OUTPUT-NEXT:   at: asic.output "output"
// OUTPUT-NEXT:   expected: one of input, lif1
// OUTPUT-NEXT:   found: lif2
// OUTPUT-NEXT:   help: compile the network again

// A route must start at a group or input.
// RUN: mutate 's/asic.route "input\/0"/asic.route "input\/1"/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROUTE
// ROUTE:      error[CHI002]: a route of nothing
// ROUTE-NEXT:   at: asic.route "input/1"
// ROUTE-NEXT:   expected: one of input/0, lif1/0, lif1/1
// ROUTE-NEXT:   found: input/1
// ROUTE-NEXT:   help: compile the network again

// A destination must belong to a neuron.
// RUN: mutate 's/neuron = #nopt.array<\[0, 1, 1\]/neuron = #nopt.array<[0, 1, 2]/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SENDER
// SENDER:      error[CHI002]: a destination belongs to no neuron
// SENDER-NEXT:   at: asic.output_axons
// SENDER-NEXT:   expected: a neuron below 2
// SENDER-NEXT:   found: 2
// SENDER-NEXT:   help: compile the network again

// A parameter is one number, or one for each neuron.
// RUN: mutate 's/@pass attributes {index = #nopt.array<\[2\] : tensor<1xi32>>, params = {}/@pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {a = #nopt.array<[1, 2] : tensor<2xi32>>}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PARAMETER
// PARAMETER:      error[CHI002]: parameter a has another shape
// PARAMETER-NEXT:   at: asic.neurons "lif1/1"
// PARAMETER-NEXT:   expected: [] or [1]
// PARAMETER-NEXT:   found: [2]
// PARAMETER-NEXT:   help: compile the network again

// Links are rows of numbers.
// RUN: mutate 's/links = #nopt.array<\[\[0, 0, 1, 0\], \[1, 0, 2, 0\]\] : tensor<2x4xi64>>/links = #nopt.array<[0, 0, 1, 0] : tensor<4xi64>>/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LINKS
// LINKS:      error[CHI002]: links have another shape
// LINKS-NEXT:   at: asic.route "input/0"
// LINKS-NEXT:   expected: [links, columns]
// LINKS-NEXT:   found: [4]
// LINKS-NEXT:   help: compile the network again

// An output has one delay, or one for each neuron.
// RUN: mutate 's/{delay = #nopt.array<0 : tensor<i64>>}/{delay = #nopt.array<[0, 1] : tensor<2xi64>>}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LATE
// LATE:      error[CHI002]: delay has another shape
// LATE-NEXT:   at: asic.output "output"
// LATE-NEXT:   expected: [] or [3]
// LATE-NEXT:   found: [2]
// LATE-NEXT:   help: compile the network again

// The update of a group must be defined.
// RUN: mutate 's/"lif1\/0" of "lif1" @pass/"lif1\/0" of "lif1" @other/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=UPDATE
// UPDATE:      error[CHI002]: the update is not defined
// UPDATE-NEXT:   at: asic.neurons "lif1/0"
// UPDATE-NEXT:   expected: an ntensor.update of the module
// UPDATE-NEXT:   found: @other
// UPDATE-NEXT:   help: compile the network again

// The states of a group must be those of its update.
// RUN: mutate 's/"lif1\/0" of "lif1" @pass attributes {index = #nopt.array<\[0, 1\] : tensor<2xi32>>, params = {}, initial = {}/"lif1\/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {v = #nopt.array<0 : tensor<i32>>}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=STATES
// STATES:      error[CHI002]: the states are not those of the update
// STATES-NEXT:   at: asic.neurons "lif1/0"
// STATES-NEXT:   expected: none
// STATES-NEXT:   found: v
// STATES-NEXT:   help: compile the network again

// A port must be an operand of the update.
// RUN: mutate 's/{format = "dense", port = 0/{format = "dense", port = 1/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OPERAND
// OPERAND:      error[CHI002]: port is not an operand of the neuron
// OPERAND-NEXT:   at: asic.dense "fc1"
// OPERAND-NEXT:   expected: a number below 1
// OPERAND-NEXT:   found: 1
// OPERAND-NEXT:   help: compile the network again

// A route must start at neurons of its group.
// RUN: mutate 's/neurons = #nopt.array<\[1\]/neurons = #nopt.array<[2]/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=USERS
// USERS:      error[CHI002]: a route of other neurons
// USERS-NEXT:   at: asic.route "input/0"
// USERS-NEXT:   expected: neurons below 2
// USERS-NEXT:   found: 2
// USERS-NEXT:   help: compile the network again

// The type of an output must be that of its population.
// RUN: mutate 's/: tensor<i64>>} : tensor<3xi1>/: tensor<i64>>} : tensor<4xi1>/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TYPE
// TYPE:      error[CHI002]: the type of an output differs from its source
// TYPE-NEXT:   at: asic.output "output"
// TYPE-NEXT:   expected: 3 neurons of i1
// TYPE-NEXT:   found: 4 neurons of i1
// TYPE-NEXT:   help: compile the network again
