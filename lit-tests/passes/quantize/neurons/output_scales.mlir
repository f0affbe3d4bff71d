// RUN: nopt %s -p 'ntensor-quantize-threshold{bits=8}' | filecheck %s

// Two layers in steps of 0.25 are added in a sum, one of them through a delay and a reshape; the gain is 0.5, so a step adds 0.125, and
// 1.05 becomes 1.
// CHECK: ntensor.neuron "common"
// CHECK-SAME: v_threshold = #nopt.array<1.0 : tensor<f64>>

// A scale for each channel applies to all neurons of the channel: steps of 0.25 and 1, times 0.5.
// CHECK: ntensor.neuron "channels"
// CHECK-SAME: v_threshold = #nopt.array<{{\[\[}}1.0, 1.0], [1.0, 1.0]] : tensor<2x2xf64>>

// A scale for each synapse applies to its target: steps of 0.5 and 0.125, times 0.5.
// CHECK: ntensor.neuron "synapses"
// CHECK-SAME: v_threshold = #nopt.array<[1.0, 1.0625] : tensor<2xf64>>

// An exponent of 1 doubles the value of a step, and a pool of sums keeps it: 0.25 * 2 * 0.5 = 0.25.
// CHECK: ntensor.neuron "pooled"
// CHECK-SAME: v_threshold = #nopt.array<1.0 : tensor<f64>>
ntensor.update @fire <spike> inputs ["x"] states ["v"] params ["gain", "v_threshold"] raw ["gain", "v_threshold"] canonical ["gain", "threshold"] derive {
^bb0(%dt: f64, %gain: f64, %v_threshold: f64):
  ntensor.derived %gain, %v_threshold, %gain, %v_threshold : f64, f64, f64, f64
} initial {
^bb0(%gain: f64, %v_threshold: f64):
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64, %gain: f64, %v_threshold: f64):
  %0 = arith.mulf %gain, %x : f64
  %1 = arith.addf %v, %0 : f64
  %2 = ntensor.let "v" %1 : f64
  %3 = arith.cmpf ogt, %2, %v_threshold : f64
  ntensor.emit %3, %2 : i1, f64
}
ntensor.network @net("x" %x: tensor<2xf64>, "c" %c: tensor<1x2xf64>) -> ("a": tensor<2xi1>, "b": tensor<2x2xi1>, "s": tensor<2xi1>, "p": tensor<1x1x1xi1>) attributes {tick_ns = 1000} {
  %0 = ntensor.linear "one" %x {weight = #nopt.array<[[2, 1], [2, 4]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.25 : tensor<f64>>>} : tensor<2xf64> -> tensor<2xf64>
  %1 = ntensor.linear "two" %x {weight = #nopt.array<[[3, 1], [2, 4]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<[[0.25], [0.25]] : tensor<2x1xf64>>>} : tensor<2xf64> -> tensor<2xf64>
  %2 = ntensor.reshape "shape" %1 {} : tensor<2xf64> -> tensor<2x1xf64>
  %3 = ntensor.delay "later" %2 {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2x1xf64>
  %4 = ntensor.reshape "back" %3 {} : tensor<2x1xf64> -> tensor<2xf64>
  %5 = ntensor.sum %0, %4 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %a = ntensor.neuron "common" @fire(%5) {canonical = {gain = #nopt.array<0.5 : tensor<f64>>, threshold = #nopt.array<1.05 : tensor<f64>>}, params = {gain = #nopt.array<0.5 : tensor<f64>>, v_threshold = #nopt.array<1.05 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  %6 = ntensor.conv1d "conv" %c {weight = #nopt.array<[[[2]], [[1]]] : tensor<2x1x1xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1, quantized = #ntensor.quantized<4, #nopt.array<[[[0.25]], [[1.0]]] : tensor<2x1x1xf64>>>} : tensor<1x2xf64> -> tensor<2x2xf64>
  %b = ntensor.neuron "channels" @fire(%6) {canonical = {gain = #nopt.array<0.5 : tensor<f64>>, threshold = #nopt.array<1.05 : tensor<f64>>}, params = {gain = #nopt.array<0.5 : tensor<f64>>, v_threshold = #nopt.array<1.05 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2x2xf64>) -> tensor<2x2xi1>
  %7 = ntensor.sparse_linear "few" %x {weight = #nopt.array<[1, 1, 2] : tensor<3xi8>>, source = #nopt.array<[0, 0, 1] : tensor<3xi64>>, target = #nopt.array<[0, 1, 0] : tensor<3xi64>>, quantized = #ntensor.quantized<4, #nopt.array<[0.5, 0.125, 0.5] : tensor<3xf64>>>} : tensor<2xf64> -> tensor<2xf64>
  %s = ntensor.neuron "synapses" @fire(%7) {canonical = {gain = #nopt.array<0.5 : tensor<f64>>, threshold = #nopt.array<1.05 : tensor<f64>>}, params = {gain = #nopt.array<0.5 : tensor<f64>>, v_threshold = #nopt.array<1.05 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  %8 = ntensor.linear "wide" %x {weight = #nopt.array<[[2, 1], [2, 4], [2, 1], [2, 4]] : tensor<4x2xi8>>, exponent = #nopt.array<1 : tensor<i64>>, quantized = #ntensor.quantized<4, #nopt.array<0.25 : tensor<f64>>>} : tensor<2xf64> -> tensor<4xf64>
  %9 = ntensor.reshape "map" %8 {} : tensor<4xf64> -> tensor<1x2x2xf64>
  %10 = ntensor.sum_pool2d "pool" %9 {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xf64> -> tensor<1x1x1xf64>
  %p = ntensor.neuron "pooled" @fire(%10) {canonical = {gain = #nopt.array<0.5 : tensor<f64>>, threshold = #nopt.array<1.1 : tensor<f64>>}, params = {gain = #nopt.array<0.5 : tensor<f64>>, v_threshold = #nopt.array<1.1 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
  ntensor.output %a, %b, %s, %p : tensor<2xi1>, tensor<2x2xi1>, tensor<2xi1>, tensor<1x1x1xi1>
}
