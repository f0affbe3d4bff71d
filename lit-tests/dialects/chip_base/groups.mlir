// The states of a group are one number, or one for each neuron.
// RUN: mutate 's/registers = {bias = #nopt.array<0 : tensor<i64>>}/registers = {bias = #nopt.array<[0, 7] : tensor<2xi64>>}/' %S/../loihi2/inputs/loihi2.mlir | nopt - | filecheck %s
// CHECK: registers = {bias = #nopt.array<[0, 7] : tensor<2xi64>>}
