// RUN: mutate '/^.. Without an observation/,$d' %s | nopt - --split-input-file -p ntensor-quantize-inputs | filecheck %s
// RUN: mutate '/^.. -----/,$d' %s | nopt - -p 'ntensor-quantize-inputs{kind=graded bits=4 inputs="up to 5",signed}' | filecheck %s --check-prefix=GRADED
// RUN: mutate '1,/^.. -----/d' %s | nopt - --split-input-file -p 'ntensor-quantize-inputs{kind=count bits=3}' | filecheck %s --check-prefix=WORD

// The calibration determines the type: 0 and 1 are spikes, up to 5 is a count of 3 bits, -3 to 2 an integer of 3 bits. Reshapes
// and delays keep it, synapses of reals accept it. The observation is an assumption about other data, so it is recorded.
// CHECK-LABEL: ntensor.network @observed("spikes" %s: tensor<2xi1>, "up to 5" %c: tensor<2x!ntensor.count<3>>, "signed" %n: tensor<2xi3>)
// CHECK-SAME: -> ("output": tensor<1xf32>, "passed": tensor<1x2x!ntensor.count<3>>)
// CHECK-SAME: #ntensor.approximation<"ntensor-quantize-inputs", "inputs are assumed to hold i1, !ntensor.count<3>, i3; other data are refused", ["spikes", "up to 5", "signed"], 0.000000e+00 : f64, 0.000000e+00 : f64, "1">
// CHECK: ntensor.reshape "flat" %{{.+}} : tensor<2x!ntensor.count<3>> -> tensor<1x2x!ntensor.count<3>>
// CHECK: ntensor.delay "later" %{{.+}} {{.*}} : tensor<2xi3>
// CHECK: ntensor.linear "a" %{{.+}} : tensor<2xi3> -> tensor<1xf32>

// An input that the option does not list keeps its type.
// GRADED: "spikes" %s: tensor<2xf32>, "up to 5" %c: tensor<2x!ntensor.graded<4>>, "signed" %n: tensor<2x!ntensor.graded<4>>
ntensor.network @observed("spikes" %s: tensor<2xf32>, "up to 5" %c: tensor<2xf32>, "signed" %n: tensor<2xf32>) -> ("output": tensor<1xf32>, "passed": tensor<1x2xf32>) attributes {tick_ns = 1000, ntensor.observed = {inputs = {"spikes" = {range = #nopt.array<[0.0, 1.0] : tensor<2xf64>>, integral = true}, "up to 5" = {range = #nopt.array<[0.0, 5.0] : tensor<2xf64>>, integral = true}, "signed" = {range = #nopt.array<[-3.0, 2.0] : tensor<2xf64>>, integral = true}}}} {
  %f = ntensor.reshape "flat" %c : tensor<2xf32> -> tensor<1x2xf32>
  %d = ntensor.delay "later" %n {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf32>
  %a = ntensor.linear "a" %d {weight = #nopt.array<[[0.5, 0.3]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %b = ntensor.linear "b" %s {weight = #nopt.array<[[0.5, 0.3]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %y = ntensor.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  ntensor.output %y, %f : tensor<1xf32>, tensor<1x2xf32>
}

// -----

// An input of spikes is not real, and is unchanged.
// CHECK-LABEL: ntensor.network @spikes("input" %x: tensor<2xi1>)
// CHECK-SAME: attributes {tick_ns = 1000 : i64} {
// WORD-LABEL: ntensor.network @spikes
// WORD-NOT: approximation
ntensor.network @spikes("input" %x: tensor<2xi1>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000} {
  ntensor.output %x : tensor<2xi1>
}

// Without an observation the option specifies the type, and no error is recorded.
// -----

// WORD-LABEL: ntensor.network @unseen("input" %x: tensor<1x!ntensor.count<3>>)
// WORD-SAME: "inputs are assumed to hold !ntensor.count<3>; other data are refused", ["input"], none, none, "none">
ntensor.network @unseen("input" %x: tensor<1xf64>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000, ntensor.observed = {inputs = {}}} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %a : tensor<1xf64>
}
