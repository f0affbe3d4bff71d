// Inputs, output axons and outputs are printed as they are read, in each exit dialect.
// RUN: nopt %S/../asic/inputs/chip.mlir | nopt - | filecheck %s --check-prefix=ASIC
// RUN: nopt %S/../loihi2/inputs/loihi2.mlir | nopt - | filecheck %s --check-prefix=LOIHI
// ASIC:       asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
// ASIC-NEXT:    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
// ASIC:       asic.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<3xi1>
// LOIHI:      loihi2.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
// LOIHI-NEXT:   loihi2.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
// LOIHI:      loihi2.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<3xi1>

// An output may be later for each neuron.
// RUN: mutate 's/"lif1" {delay = #nopt.array<0 : tensor<i64>>}/"lif1" {delay = #nopt.array<[0, 1, 2] : tensor<3xi64>>}/' %S/../loihi2/inputs/loihi2.mlir | nopt - | filecheck %s --check-prefix=LATE
// LATE:       loihi2.output "output" of "lif1" {delay = #nopt.array<[0, 1, 2] : tensor<3xi64>>} : tensor<3xi1>
