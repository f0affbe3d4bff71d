// A width that the reals of the state do not represent: f32 has 24 bits.
// RUN: not nopt %s -p 'ntensor-quantize-state{bits=25 fraction=0}' 2>&1 | filecheck %s
// CHECK: error[QUA027]: 25 bits are out of range
// CHECK-NEXT: at: ntensor-quantize-state, ntensor.neuron "n"
// CHECK-NEXT: expected: 2 to 24, which its reals hold
// CHECK-NEXT: found: 25
// CHECK-NEXT: help: nopt {{.*}}state_widths-errors.mlir -p 'ntensor-quantize-state{bits=24 fraction=0}'
// RUN: nopt %s -p 'ntensor-quantize-state{bits=24 fraction=0}'
ntensor.update @gather <value> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 0.0 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32):
  %0 = arith.addf %v, %x : f32
  %1 = ntensor.let "v" %0 : f32
  ntensor.emit %1, %1 : f32, f32
}
ntensor.network @net("x" %x: tensor<1xf32>) -> ("a": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.neuron "n" @gather(%x) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<1xf32>) -> tensor<1xf32>
  ntensor.output %a : tensor<1xf32>
}
