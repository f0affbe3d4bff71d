// Neurons have a site, parameters, and the radius of each arbor. A core has no input axons.
// RUN: nopt %S/inputs/neurogrid.mlir | filecheck %s
// RUN: mutate '/one.0. of/s/arbors = #nopt.array<\[0.0, 0.0\]/arbors = #nopt.array<[1.5, 0.0]/' %S/inputs/neurogrid.mlir | nopt - | filecheck %s --check-prefix=ARBOR
// CHECK:      neurogrid.core 0 attributes {axons = 0 : i64} {
// CHECK-NEXT:   neurogrid.somas "one/0" of "one" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, row = #nopt.array<[0, 0] : tensor<2xi32>>, column = #nopt.array<[0, 1] : tensor<2xi32>>, params = {tau_s = #nopt.array<0.02 : tensor<f64>>
// ARBOR:      arbors = #nopt.array<[1.5, 0.0] : tensor<2xf64>>
