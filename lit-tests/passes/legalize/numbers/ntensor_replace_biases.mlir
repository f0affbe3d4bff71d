// RUN: nopt %S/../../../targets/loihi2/inputs/affine.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-replace-biases' | filecheck %s
// RUN: nopt %S/../../../targets/asic/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-replace-biases' | filecheck %s --check-prefix=NONE

// A neuron that fires in every tick has the bias as its weights. The bias is added last, as before.
// CHECK:      ntensor.sparse_linear "clock.start" %input
// CHECK-NEXT: [[CLOCK:%.*]] = ntensor.neuron "clock" @clock_real(
// CHECK-NEXT: [[WAIT:%.*]] = ntensor.delay "clock.wait0" [[CLOCK]] {ticks = #nopt.array<0 : tensor<i64>>}
// CHECK-NEXT: %fc1 = ntensor.linear "fc1" %input {weight = {{.*}}} : tensor<2xf64> -> tensor<3xf64>
// CHECK-NEXT: [[SUM:%.*]] = ntensor.sum %fc1, [[BIAS:%.*]] : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: [[BIAS]] = ntensor.sparse_linear "fc1.bias" [[WAIT]] {weight = #nopt.array<[0.125, -0.25] : tensor<2xf32>>
// CHECK:      ntensor.neuron "hidden" @norse_if.value([[SUM]])

// Without a bias nothing is added.
// NONE-NOT:   clock
