// Layers in steps of 0.25 and 0.125 have no common step, and unquantized weights have none: the range is needed, but no observation
// exists. With a calibration it works.
// RUN: not nopt %s -p 'ntensor-quantize-threshold{bits=8 nodes=differ}' 2>&1 | filecheck %s
// CHECK: error[QUA028]: the range of v is not known
// CHECK-NEXT: at: ntensor.neuron "differ"
// RUN: not nopt %s -p 'ntensor-quantize-threshold{bits=8 nodes=plain}' 2>&1 | filecheck %s --check-prefix=PLAIN
// PLAIN: error[QUA028]: the range of v is not known
// PLAIN-NEXT: at: ntensor.neuron "plain"

// -2 .. 0.5 and the threshold 1.05, in 8 bits: steps of 2^-6. 1.05 is 67.2 of them.
// RUN: nopt %s -p 'ntensor-quantize-threshold{bits=8 nodes=seen}' | filecheck %s --check-prefix=SEEN
// SEEN: "thresholds of 8 bits on a grid of the observed range", ["seen"], 0.003125
// SEEN: v_threshold = #nopt.array<1.046875 : tensor<f64>>
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
ntensor.network @net("x" %x: tensor<2xf64>) -> ("a": tensor<2xi1>, "b": tensor<2xi1>, "c": tensor<2xi1>) attributes {tick_ns = 1000} {
  %0 = ntensor.linear "one" %x {weight = #nopt.array<[[2, 1], [2, 4]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.25 : tensor<f64>>>} : tensor<2xf64> -> tensor<2xf64>
  %1 = ntensor.linear "two" %x {weight = #nopt.array<[[1, 2], [4, 6]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.125 : tensor<f64>>>} : tensor<2xf64> -> tensor<2xf64>
  %2 = ntensor.sum %0, %1 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %a = ntensor.neuron "differ" @fire(%2) {canonical = {gain = #nopt.array<0.5 : tensor<f64>>, threshold = #nopt.array<1.05 : tensor<f64>>}, params = {gain = #nopt.array<0.5 : tensor<f64>>, v_threshold = #nopt.array<1.05 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  %b = ntensor.neuron "plain" @fire(%x) {canonical = {gain = #nopt.array<0.5 : tensor<f64>>, threshold = #nopt.array<1.05 : tensor<f64>>}, params = {gain = #nopt.array<0.5 : tensor<f64>>, v_threshold = #nopt.array<1.05 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  %c = ntensor.neuron "seen" @fire(%2) {canonical = {gain = #nopt.array<0.5 : tensor<f64>>, threshold = #nopt.array<1.05 : tensor<f64>>}, params = {gain = #nopt.array<0.5 : tensor<f64>>, v_threshold = #nopt.array<1.05 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}, ntensor.observed = {v = #nopt.array<[-2.0, 0.5] : tensor<2xf64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a, %b, %c : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}
