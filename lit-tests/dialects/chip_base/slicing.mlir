// The 4 neurons of chains.mlir in two slices: neurons 0 and 1 read the pooled positions 0 to 2, neurons 2 and 3 the positions 1 to 3. A
// position is 2 rows of 2 inputs, so that 12 of the 16 inputs have an axon into each slice.
// RUN: nopt %S/chains.mlir -p 'ntensor-plan-cores{device="%S/../../passes/plan/inputs/small.json" set="core.neurons=3,synapse.bits=8"},convert-ntensor-to-machine' | filecheck %s
// CHECK:      machine.vertex "p/0" of "p" {box = #nopt.array<{{\[\[}}0, 1], [0, 1], [0, 2]] : tensor<3x2xi64>>, needs = {neurons = 2 : i64, synapses = 12 : i64, fan_in = 8 : i64, input_axons = 12 : i64,
// CHECK:      machine.vertex "p/1" of "p" {box = #nopt.array<{{\[\[}}0, 1], [0, 1], [2, 4]] : tensor<3x2xi64>>, needs = {neurons = 2 : i64, synapses = 12 : i64, fan_in = 8 : i64, input_axons = 12 : i64,
// CHECK:      machine.edge "conv" : "x/0" -> "p/0" {{.*}} sources = #nopt.array<[0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13] : tensor<12xi32>>}
// CHECK:      machine.edge "conv" : "x/0" -> "p/1" {{.*}} sources = #nopt.array<[2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15] : tensor<12xi32>>}
