// RUN: nopt %s -p 'ntensor-quantize-state{bits=8}' | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-state{bits=8},ntensor-quantize-state{bits=8}' | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-state{bits=8}' | nopt - | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-state{bits=8}' -t neuron | filecheck %s --check-prefix=TEXT
// RUN: nopt %s -p 'ntensor-quantize-state{bits=6 fraction=3 overflow=wrap rounding=floor}' -t neuron | filecheck %s --check-prefix=WRAP
// RUN: nopt %s -p 'ntensor-quantize-state{bits=8 range=given low=-1 high=1 nodes=quiet}' -t neuron | filecheck %s --check-prefix=GIVEN
// RUN: nopt %s -p 'ntensor-quantize-state{nodes=count}' | filecheck %s --check-prefix=STAYS

// 8 bits hold -8 .. 7.9375 in steps of 2^-4, and -3 .. 6.5 lies within; half of them would hold -4 .. 3.97. "quiet" was always 0, so it has
// the steps of -1 .. 1: 2^-7. An integer state has its width, "count" is unchanged. 0.3 starts at 5 / 16. A second pass changes nothing.
// CHECK: ntensor.update @leak.v8q4 <value>
// CHECK: ntensor.widths = {v = {bits = 8 : i64, fraction = 4 : i64, overflow = "saturate", rounding = "round"}}
// CHECK: ntensor.update @leak.v8q7 <value>
// CHECK-NOT: ntensor.update @leak <value>
// CHECK: ntensor.network @net
// CHECK-SAME: approximations = [#ntensor.approximation<"ntensor-quantize-state{bits=8}", "states rounded to 2^-7 to 2^-4 (v) at the end of each tick; beyond 8 bits they saturate", ["busy", "quiet"], 3.125000e-02 : f64, none, "1 per tick">]}
// CHECK: ntensor.neuron "busy" @leak.v8q4(
// CHECK-SAME: initial = {v = #nopt.array<[0.3125, 0.0] : tensor<2xf64>>}
// CHECK: ntensor.neuron "quiet" @leak.v8q7(
// CHECK: ntensor.neuron "count" @integrate(

// As equations: the initial value is rounded like every other, and the output of the neuron is the rounded state.
// TEXT: neuron leak_v8q4
// TEXT-NEXT: param start
// TEXT-NEXT: state v = clip(real(round(start * 16)) * 0.0625, -8, 7.9375)
// TEXT-NEXT: input x
// TEXT-NEXT: v = 0.9 * v + x
// TEXT-NEXT: v = clip(real(round(v * 16)) * 0.0625, -8, 7.9375)
// TEXT-NEXT: emit value v
// TEXT: neuron leak_v8q7

// 6 bits, 3 of fraction, wrap modulo 8 into -4 .. 3.875.
// WRAP: neuron leak_v6q3_wrap_floor
// WRAP: input x
// WRAP-NEXT: v = 0.9 * v + x
// WRAP-NEXT: v = real(floor(v * 8)) * 0.125
// WRAP-NEXT: v = v - real(floor(v * 0.125)) * 8
// WRAP-NEXT: v = v - 8 if v >= 4 else v
// WRAP-NEXT: emit value v

// 8 bits do not hold 1 in steps of 2^-7 (127 / 128), so the steps are 2^-6. States that are not listed keep their update.
// GIVEN: neuron leak_v8q6
// GIVEN: emit value v
// GIVEN: neuron leak
// GIVEN-NOT: round

// STAYS-NOT: approximation
ntensor.update @leak <value> inputs ["x"] states ["v"] params ["start"] raw ["start"] derive {
^bb0(%dt: f64, %start: f64):
  ntensor.derived %start : f64
} initial {
^bb0(%start: f64):
  ntensor.initial %start : f64
} step {
^bb0(%x: f64, %v: f64, %start: f64):
  %0 = arith.constant 0.9 : f64
  %1 = arith.mulf %0, %v : f64
  %2 = arith.addf %1, %x : f64
  %3 = ntensor.let "v" %2 : f64
  ntensor.emit %3, %3 : f64, f64
}
ntensor.update @integrate <graded> inputs ["x"] states ["n"] initial {
^bb0:
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-128, 127>
  ntensor.initial %1 : !fixed.int<-128, 127>
} step {
^bb0(%x: !fixed.int<-8, 7>, %n: !fixed.int<-128, 127>):
  %0 = fixed.add %n, %x : !fixed.int<-128, 127>, !fixed.int<-8, 7> -> !fixed.int<-136, 134>
  %1 = fixed.saturate %0 : !fixed.int<-136, 134> -> !fixed.int<-128, 127>
  %2 = ntensor.let "n" %1 : !fixed.int<-128, 127>
  ntensor.emit %2, %2 : !fixed.int<-128, 127>, !fixed.int<-128, 127>
}
ntensor.network @net("x" %x: tensor<2xf64>, "k" %k: tensor<2xi4>) -> ("a": tensor<2xf64>, "b": tensor<2xf64>, "c": tensor<2x!ntensor.graded<8>>) attributes {tick_ns = 1000} {
  %a = ntensor.neuron "busy" @leak(%x) {params = {start = #nopt.array<[0.3, 0.0] : tensor<2xf64>>}, initial = {v = #nopt.array<[0.3, 0.0] : tensor<2xf64>>}, ntensor.observed = {rate = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<[-3.0, 6.5] : tensor<2xf64>>}} : (tensor<2xf64>) -> tensor<2xf64>
  %b = ntensor.neuron "quiet" @leak(%x) {params = {start = #nopt.array<0.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}, ntensor.observed = {rate = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<[0.0, 0.0] : tensor<2xf64>>}} : (tensor<2xf64>) -> tensor<2xf64>
  %c = ntensor.neuron "count" @integrate(%k) {params = {}, initial = {n = #nopt.array<0 : tensor<i64>>}} : (tensor<2xi4>) -> tensor<2x!ntensor.graded<8>>
  ntensor.output %a, %b, %c : tensor<2xf64>, tensor<2xf64>, tensor<2x!ntensor.graded<8>>
}
