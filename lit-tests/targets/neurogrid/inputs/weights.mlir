ntensor.update @cell <spike> inputs ["x"] canonical ["decay_i", "gain", "threshold"] derive {
^bb0(%dt: f64):
  %c = arith.constant 1.0 : f64
  ntensor.derived %c, %c, %c : f64, f64, f64
} step {
^bb0(%x: f64):
  %0 = arith.constant 1.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25, 1.0], [0.0, -0.75, 1.5]] : tensor<2x3xf64>>, bias = #nopt.array<[0.5, 0.0] : tensor<2xf64>>} : tensor<3xi1> -> tensor<2xf64>
  %z = ntensor.neuron "one" @cell(%y) {params = {}, initial = {}, family = "lif", canonical = {decay_i = #nopt.array<0.0 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
