ntensor.update @cell <spike> inputs ["x"] canonical ["decay", "decay_i", "gain", "gain_i", "leak", "threshold"] derive {
^bb0(%dt: f64):
  %c = arith.constant 1.0 : f64
  %h = arith.constant 0.5 : f64
  %z = arith.constant 0.0 : f64
  ntensor.derived %h, %z, %c, %c, %z, %c : f64, f64, f64, f64, f64, f64
} step {
^bb0(%x: f64):
  %0 = arith.constant 1.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<5xi1>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.25, -0.75], [0.75, -0.25], [1.875, 0.0], [0.75, 0.0], [0.25, 0.0]] : tensor<5x2xf64>>} : tensor<2xi1> -> tensor<5xf64>
  %z = ntensor.neuron "row" @cell(%y) {params = {}, initial = {}, family = "lif", canonical = {decay = #nopt.array<0.5 : tensor<f64>>, decay_i = #nopt.array<0.0 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, gain_i = #nopt.array<1.0 : tensor<f64>>, leak = #nopt.array<0.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}} : (tensor<5xf64>) -> tensor<5xi1>
  ntensor.output %z : tensor<5xi1>
}
