// An output neuron has one synaptic current, and so it has no second decay.
// RUN: nopt %S/inputs/xylo.mlir | filecheck %s
// CHECK:      xylo.hidden "h/0"
// CHECK-SAME: registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, dash_syn_2 = #nopt.array<2 : tensor<i32>>
// CHECK-SAME: aliases = #nopt.array<[-1, -1] : tensor<2xi32>>
// CHECK:      xylo.readout "o/0"
// CHECK-SAME: registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<900 : tensor<i32>>, bias = #nopt.array<0 : tensor<i32>>}
