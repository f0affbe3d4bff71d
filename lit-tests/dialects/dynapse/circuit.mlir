// The largest current of the bias generator, 2.28 uA with a scale of 1.05; a pulse that charges fully.
// RUN: mutate 's/i_w = #nopt.array<[^:]* /i_w = #nopt.array<2.394e-6 /' 's/charge_syn = #nopt.array<[^:]* /charge_syn = #nopt.array<1.0 /' %S/inputs/dynapse.mlir | nopt - | filecheck %s
// CHECK: charge_syn = #nopt.array<1.0 : tensor<f64>>
// CHECK: i_w = #nopt.array<2.394e-06 : tensor<f64>>
