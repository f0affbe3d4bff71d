// RUN: nopt %s -p 'ntensor-quantize-state{bits=4 fraction=-2}' -t neuron | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-state{bits=4 fraction=0 rounding=ceil}' -t neuron | filecheck %s --check-prefix=WHOLE
// RUN: nopt %s -p 'ntensor-quantize-state{bits=4 fraction=1 overflow=wrap}' | filecheck %s --check-prefix=WRAP
// RUN: nopt %s -p 'ntensor-quantize-state{bits=4 fraction=-2},ntensor-quantize-state{bits=3 fraction=-2}' | filecheck %s --check-prefix=TWICE

// Steps of 4: -8 .. 7 of them. The initial value is a constant, so the constant is rounded: 13.5 to 12. A state that is emitted under
// another name is emitted before it is rounded.
// CHECK: neuron gather_v4qm2
// CHECK-NEXT: state v = 12
// CHECK-NEXT: input x
// CHECK-NEXT: v = v + x
// CHECK-NEXT: shown = v * 2
// CHECK-NEXT: v = clip(real(round(v * 0.25)) * 4, -32, 28)
// CHECK-NEXT: emit value shown

// Steps of 1 need no factors: 13.5 becomes 14, and 4 bits end at 7.
// WHOLE: neuron gather_v4q0_ceil
// WHOLE-NEXT: state v = 7
// WHOLE: v = clip(real(ceil(v)), -8, 7)

// 13.5 in steps of 1/2 modulo 8, from -4 to 3.5: -2.5. The neuron starts at the wrapped value.
// WRAP: arith.constant -2.500000e+00 : f64
// WRAP: initial = {v = #nopt.array<-2.5 : tensor<f64>>}

// A second width is applied after the first, and both are in the symbol; the other update is no longer used.
// TWICE: ntensor.update @gather.v4qm2.v3qm2
// TWICE-NOT: ntensor.update
ntensor.update @gather <value> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 13.5 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64):
  %0 = arith.addf %v, %x : f64
  %1 = ntensor.let "v" %0 : f64
  %2 = arith.constant 2.0 : f64
  %3 = arith.mulf %1, %2 : f64
  %4 = ntensor.let "shown" %3 : f64
  ntensor.emit %4, %1 : f64, f64
}
ntensor.network @net("x" %x: tensor<1xf64>) -> ("a": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.neuron "n" @gather(%x) {params = {}, initial = {v = #nopt.array<13.5 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xf64>
  ntensor.output %a : tensor<1xf64>
}
