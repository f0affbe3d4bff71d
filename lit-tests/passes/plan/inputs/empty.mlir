ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
ntensor.network @n("x" %x: tensor<0xf32>, "s" %s: tensor<f32>) -> ("out": tensor<0xi1>, "o": tensor<i1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "l" %x {weight = #nopt.array<constant(value = 1.0) : tensor<0x0xf32>>} : tensor<0xf32> -> tensor<0xf32>
  %z = ntensor.neuron "p" @pass(%y) {params = {}, initial = {}} : (tensor<0xf32>) -> tensor<0xi1>
  %o = ntensor.neuron "q" @pass(%s) {params = {}, initial = {}} : (tensor<f32>) -> tensor<i1>
  ntensor.output %z, %o : tensor<0xi1>, tensor<i1>
}
