// RUN: nopt %s -p 'ntensor-round-reals' | filecheck %s --check-prefix=F16
// RUN: nopt %s -p 'ntensor-round-reals' | nopt - | filecheck %s --check-prefix=F16
// RUN: nopt %s -p 'ntensor-round-reals,ntensor-round-reals' | filecheck %s --check-prefix=F16
// RUN: nopt %s -p 'ntensor-round-reals{to=bf16}' | filecheck %s --check-prefix=BF16
// RUN: nopt %s -p 'ntensor-round-reals{to=bf16}' | nopt - | filecheck %s --check-prefix=BF16
// RUN: nopt %s -p 'ntensor-round-reals{to=bf16 of=states}' | nopt - | filecheck %s --check-prefix=STATES
// RUN: nopt %s -p 'ntensor-round-reals{to=bf16 of=states},ntensor-round-reals{to=bf16 of=states}' | filecheck %s --check-prefix=STATES
// RUN: nopt %s -p 'ntensor-round-reals{of=values}' -t neuron | filecheck %s --check-prefix=VALUES
// RUN: nopt %s -p 'ntensor-round-reals{of=values},ntensor-round-reals{of=values}' -t neuron | filecheck %s --check-prefix=VALUES
// RUN: nopt %s -p 'ntensor-round-reals{nodes=fc}' | filecheck %s --check-prefix=ONE

// The steps of f16 between 1/16 and 1/8 are 2^-14: 0.1 is 1638.4 of them, and becomes 1638 * 2^-14. 2^-24 is the smallest subnormal number, of
// which 2^-25 is a tie with 0. The quantized weights of "grid" are integers, and stay. Integers stay.
// F16: ntensor.update @leak.f32
// F16: approximations = [#ntensor.approximation<"ntensor-round-reals", "weights and biases rounded to f16", ["fc"], 2.44{{[0-9]*}}e-05 : f64
// F16: weight = #nopt.array<{{\[\[}}0.1, 6.0e-08], [0.0, -2.5]] : tensor<2x2xf16>>, bias = #nopt.array<[0.25, 0.0] : tensor<2xf16>>
// F16: weight = #nopt.array<{{\[\[}}1, -1]] : tensor<1x2xi8>>, quantized = #ntensor.quantized<2,
// F16: "whole" {{.*}} tensor<1x2xi8>

// The steps of bf16 between 1/16 and 1/8 are 2^-11: 0.1 is 204.8 of them, and becomes 205 * 2^-11 = 0.10009765625.
// BF16: ["fc"], 9.765{{[0-9]*}}e-05 : f64
// BF16: weight = #nopt.array<{{\[\[}}0.100097656, 5.9604645e-08], [2.9802322e-08, -2.5]] : tensor<2x2xbf16>>

// ONE: "fc" {{.*}} tensor<2x2xf16>
// ONE: "grid" {{.*}} tensor<1x2xi8>

// A state is rounded last, and its first value alike: 0.3 is 153.6 steps of 2^-9, and becomes 154 * 2^-9. A state that is emitted is emitted as
// it is kept. Integer states have their width.
// STATES: ntensor.update @leak.bf16_states.f32
// STATES: ntensor.round_real bf16 %{{.*}} : f32
// STATES: ntensor.initial
// STATES: [[V:%[0-9]+]] = ntensor.round_real bf16 %{{.*}} : f32
// STATES: [[KEPT:%.*]] = ntensor.let "v" [[V]] : f32
// STATES: ntensor.emit [[KEPT]], [[KEPT]] : f32, f32
// STATES: ntensor.update @integrate
// STATES-NOT: ntensor.update
// STATES: approximations = [#ntensor.approximation<"ntensor-round-reals{to=bf16 of=states}", "states rounded to bf16 at the end of each tick, by at most 2^-8 of each number, or 2^-134", ["lif"], none, none, "1 per tick">]
// STATES: initial = {v = #nopt.array<0.30078125 : tensor<bf16>>}

// VALUES: neuron leak_f16_values_f32
// VALUES: input x
// VALUES-NEXT: x = f16(x)
// VALUES-NEXT: v = v + k * (x - v)
// VALUES-NEXT: emit value f16(v)
ntensor.update @leak.f32 <value> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  %0 = arith.constant 0.3 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %0 = arith.subf %x, %v : f32
  %1 = arith.mulf %k, %0 : f32
  %2 = arith.addf %v, %1 : f32
  %3 = ntensor.let "v" %2 : f32
  ntensor.emit %3, %3 : f32, f32
}
ntensor.update @integrate <value> inputs ["x"] states ["v"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-128, 127>
  ntensor.initial %1 : !fixed.int<-128, 127>
} step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>, %v: !fixed.int<-128, 127>):
  %0 = fixed.saturate %x : !fixed.int<-9223372036854775808, 9223372036854775807> -> !fixed.int<-128, 127>
  ntensor.emit %0, %0 : !fixed.int<-128, 127>, !fixed.int<-128, 127>
}
ntensor.network @net("input" %x: tensor<2xi1>) -> ("out": tensor<2xf32>, "grid_out": tensor<1xf32>, "count_out": tensor<1xi8>) attributes {tick_ns = 1000} {
  %s = ntensor.linear "fc" %x {weight = #nopt.array<[[0.1, 5.9604645e-08], [2.9802322e-08, -2.5]] : tensor<2x2xf32>>, bias = #nopt.array<[0.25, 0.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @leak.f32(%s) {params = {k = #nopt.array<0.5 : tensor<f32>>}, initial = {v = #nopt.array<0.3 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xf32>
  %g = ntensor.linear "grid" %x {weight = #nopt.array<[[1, -1]] : tensor<1x2xi8>>, quantized = #ntensor.quantized<2, #nopt.array<1.0 : tensor<f64>>>} : tensor<2xi1> -> tensor<1xf32>
  %w = ntensor.linear "whole" %x {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  %c = ntensor.neuron "count" @integrate(%w) {params = {}, initial = {v = #nopt.array<0 : tensor<i8>>}} : (tensor<1xi8>) -> tensor<1xi8>
  ntensor.output %z, %g, %c : tensor<2xf32>, tensor<1xf32>, tensor<1xi8>
}
