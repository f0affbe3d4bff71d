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
ntensor.network @net("in" %x: tensor<4xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, -2, 3, 1], [2, 2, 2, 2], [3, 1, 1, -1], [1, 1, 1, 1], [3, 3, -3, 1], [1, 2, 3, 3]] : tensor<6x4xi8>>} : tensor<4xi1> -> tensor<6xi16>
  %h = ntensor.neuron "hid" @lif(%a) {params = {g = #nopt.array<[1, 2, 3, 1, 2, 3] : tensor<6xi8>>}, initial = {v = #nopt.array<0 : tensor<i16>>}} : (tensor<6xi16>) -> tensor<6xi1>
  %d = ntensor.delay "axon" %h {ticks = #nopt.array<3 : tensor<i64>>} : tensor<6xi1>
  %b = ntensor.linear "fc2" %d {weight = #nopt.array<[[1, 1, 2, 1, 1, 1], [2, -1, 1, 3, 1, 2]] : tensor<2x6xi8>>} : tensor<6xi1> -> tensor<2xi16>
  %o = ntensor.neuron "last" @lif(%b) {params = {g = #nopt.array<1 : tensor<i8>>}, initial = {v = #nopt.array<0 : tensor<i16>>}} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %o : tensor<2xi1>
}
