ntensor.update @lif <spike> inputs ["a"] states ["v"] params ["g"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 1.0 : f64
  ntensor.derived %0 : f64
} initial {
^bb0(%g: !fixed.int<0, 15>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.wrap %0 : !fixed.int<0, 0> -> !fixed.int<-32768, 32767>
  ntensor.initial %1 : !fixed.int<-32768, 32767>
} step {
^bb0(%a: !fixed.int<-32768, 32767>, %v: !fixed.int<-32768, 32767>, %g: !fixed.int<0, 15>):
  %0 = fixed.constant 2 : !fixed.int<2, 2>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<2, 2>
  ntensor.emit %1, %a : i1, !fixed.int<-32768, 32767>
}
ntensor.network @wide("in" %x: tensor<33xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<constant(value = 1) : tensor<7x33xi8>>} : tensor<33xi1> -> tensor<7xi16>
  %h = ntensor.neuron "hid" @lif(%a) {ntensor.observed = {rate = 0.25 : f64}, params = {g = #nopt.array<2 : tensor<i8>>}, initial = {v = #nopt.array<0 : tensor<i16>>}} : (tensor<7xi16>) -> tensor<7xi1>
  %b = ntensor.linear "fc2" %h {weight = #nopt.array<[[1, 1, 2, 1, 1, 1, 1], [0, 0, 0, 3, 1, 2, 1]] : tensor<2x7xi8>>} : tensor<7xi1> -> tensor<2xi16>
  %o = ntensor.neuron "last" @lif(%b) {params = {g = #nopt.array<1 : tensor<i8>>}, initial = {v = #nopt.array<0 : tensor<i16>>}} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %o : tensor<2xi1>
}
