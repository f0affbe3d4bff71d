// A terminal is a neuron of the sender, and the site of a synapse population that gets its events.
// RUN: nopt %S/inputs/neurogrid.mlir | filecheck %s
// CHECK:      neurogrid.terminals "fc1" {neuron = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 1, 0] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
