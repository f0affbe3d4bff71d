// Compartments share profiles and thresholds, which their core lists.
// RUN: nopt %S/inputs/loihi2.mlir | filecheck %s
// CHECK:      thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
// CHECK-NEXT:   loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<3xi1> {

// The last profile and the last threshold.
// RUN: mutate 's/threshold = #nopt.array<\[0, 1\]/threshold = #nopt.array<[1, 1]/' %S/inputs/loihi2.mlir | nopt - -o /dev/null
