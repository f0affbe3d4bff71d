ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @tight("in" %x: tensor<3xi1>) -> ("out": tensor<3xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] : tensor<3x3xf64>>} : tensor<3xi1> -> tensor<3xf64>
  %r = ntensor.linear "rec" %w {weight = #nopt.array<[[1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0]] : tensor<3x5xf64>>} : tensor<5xi1> -> tensor<3xf64>
  %k = ntensor.sum %h, %r : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}} : (tensor<3xf64>) -> tensor<3xi1>
  %i = ntensor.linear "on" %a {weight = #nopt.array<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]] : tensor<5x3xf64>>} : tensor<3xi1> -> tensor<5xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]], [[2, 3]], [[3, 4]], [[4, 5]]] : tensor<5x1x2xi64>>} : (tensor<5xf64>) -> tensor<5xi1>
  %w = ntensor.delay "back" %b {ticks = #nopt.array<1 : tensor<i64>>} : tensor<5xi1>
  ntensor.output %a : tensor<3xi1>
}
