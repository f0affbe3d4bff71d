// Weights of both signs are divided, as magnitudes, and so is the bias. A delay is repeated. The scales of both signs may differ.
// RUN: nopt %s -p 'ntensor-set-neuron-model{to="spinnaker/spinn3"}' | filecheck %s
// CHECK:      %0 = ntensor.linear "fc.excitatory" %x {weight = #nopt.array<{{\[}}[4, 0], [0, 8]] : tensor<2x2xi16>>, quantized = #ntensor.quantized<16, #nopt.array<0.5 : tensor<f64>>>, bias = #nopt.array<[2, 0] : tensor<2xi8>>} : tensor<2xi1> -> tensor<2xi8>
// CHECK-NEXT: %1 = ntensor.delay "wait'" %0
// CHECK-NEXT: %2 = ntensor.linear "fc.inhibitory" %x {weight = #nopt.array<{{\[}}[0, 3], [0, 0]] : tensor<2x2xi16>>, quantized = #ntensor.quantized<16, #nopt.array<0.25 : tensor<f64>>>}
// CHECK-NEXT: %3 = ntensor.delay "wait{{.*}}" %2
// CHECK-NEXT: ntensor.neuron "lif" @spinnaker_delta.zero.none.above(%1, %3)
// Half the unit is one bit less of shift.
// CHECK-SAME: params = {shift_exc = #nopt.array<6 : tensor<i64>>, shift_inh = #nopt.array<5 : tensor<i64>>
// A population without negative weights keeps its sum; its other input has no synapses.
// CHECK:      ntensor.sparse_linear "positive.inhibitory" %{{.*}} {weight = #nopt.array<"0x" : tensor<0xi8>>
// CHECK:      ntensor.neuron "positive" @spinnaker_delta.zero.none.above
ntensor.update @lif <spike> inputs ["x"] states ["v"] params ["d", "g", "t"] raw ["d", "g", "t"] canonical ["decay", "gain", "leak", "threshold"] derive {
^bb0(%dt: f64, %d: f64, %g: f64, %t: f64):
  %0 = arith.constant 0.0 : f64
  ntensor.derived %d, %g, %t, %d, %g, %0, %t : f64, f64, f64, f64, f64, f64, f64
} initial {
^bb0(%d: f64, %g: f64, %t: f64):
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64, %d: f64, %g: f64, %t: f64):
  %0 = arith.mulf %v, %d : f64
  %1 = arith.mulf %x, %g : f64
  %2 = arith.addf %0, %1 : f64
  %3 = arith.cmpf ogt, %2, %t : f64
  %4 = arith.constant 0.0 : f64
  %5 = arith.select %3, %4, %2 : f64
  ntensor.emit %3, %5 : i1, f64
}
ntensor.network @net("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[4, -3], [0, 8]] : tensor<2x2xi16>>, bias = #nopt.array<[1.0, 0.0] : tensor<2xf64>>, quantized = #ntensor.quantized<16, #nopt.array<[[0.5, 0.25], [0.5, 0.5]] : tensor<2x2xf64>>>} : tensor<2xi1> -> tensor<2xf64>
  %y = ntensor.delay "wait" %a {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf64>
  %z = ntensor.neuron "lif" @lif(%y) {family = "lif", canonical = {decay = #nopt.array<0.5 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, leak = #nopt.array<0.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}, params = {d = #nopt.array<0.5 : tensor<f64>>, g = #nopt.array<1.0 : tensor<f64>>, t = #nopt.array<1.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  %b = ntensor.linear "next" %z {weight = #nopt.array<[[4, 3], [0, 8]] : tensor<2x2xi16>>, quantized = #ntensor.quantized<16, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<2xf64>
  %o = ntensor.neuron "positive" @lif(%b) {family = "lif", canonical = {decay = #nopt.array<0.5 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, leak = #nopt.array<0.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}, params = {d = #nopt.array<0.5 : tensor<f64>>, g = #nopt.array<1.0 : tensor<f64>>, t = #nopt.array<1.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %o : tensor<2xi1>
}
