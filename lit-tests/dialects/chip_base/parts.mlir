// An output may be later for each neuron.
// RUN: mutate 's/"lif1" {delay = #nopt.array<0 : tensor<i64>>}/"lif1" {delay = #nopt.array<[0, 1, 2] : tensor<3xi64>>}/' %S/../loihi2/inputs/loihi2.mlir | nopt - | filecheck %s --check-prefix=LATE
// LATE:       loihi2.output "output" of "lif1" {delay = #nopt.array<[0, 1, 2] : tensor<3xi64>>} : tensor<3xi1>
