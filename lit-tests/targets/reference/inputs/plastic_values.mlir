ntensor.rule @depress <axonal> weight "w" synapse ["c"] post ["y"] derive {
^bb0(%dt: f64):
  %low = arith.constant 0.0 : f64
  %high = arith.constant 1.0 : f64
  ntensor.derived %low, %high : f64, f64
} initial {
^bb0():
  %zero = arith.constant 0.0 : f64
  ntensor.initial %zero, %zero : f64, f64
} on ["pre", "post"] {
^bb0(%w: f64, %c: f64, %y: f64):
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %change = arith.mulf %half, %y : f64
  %next = arith.subf %w, %change : f64
  %count = arith.addf %c, %one : f64
  ntensor.learned %next, %count, %y : f64, f64, f64
} {
^bb0(%w: f64, %c: f64, %y: f64):
  %one = arith.constant 1.0 : f64
  ntensor.learned %w, %c, %one : f64, f64, f64
}
ntensor.update @threshold <spike> inputs ["x"] step {
^bb0(%x: f64):
  %one = arith.constant 1.0 : f64
  %z = arith.cmpf oge, %x, %one : f64
  ntensor.emit %z : i1
}
ntensor.network @n("x" %x: tensor<2xi1>) -> ("z": tensor<1xi1>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.5, 0.5]] : tensor<1x2xf64>>, plasticity = #ntensor.learning<@depress>} : tensor<2xi1> -> tensor<1xf64>
  %z = ntensor.neuron "cell" @threshold(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
