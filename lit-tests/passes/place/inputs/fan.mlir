// Two inputs that reach each of 100 neurons.
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.cmp gt %x, %0 : !fixed.int<-32768, 32767>, !fixed.int<0, 0>
  ntensor.emit %1 : i1
}
ntensor.network @fan("in" %x: tensor<2xi1>) -> ("out": tensor<100xi1>) attributes {tick_ns = 1000000} {
  %d = ntensor.delay "wait" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
  %h = ntensor.linear "fc" %d {weight = #nopt.array<[[1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1]] : tensor<100x2xi8>>} : tensor<2xi1> -> tensor<100xi16>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<100xi16>) -> tensor<100xi1>
  ntensor.output %a : tensor<100xi1>
}
