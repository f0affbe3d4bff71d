ntensor.update @eager <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf oge, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @hasty("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @eager(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}
