ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
ntensor.network @tiles("in" %x: tensor<1x4x4xi1>) -> ("out": tensor<3x4xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.conv2d "conv" %x {weight = #nopt.array<constant(value = 1.0) : tensor<2x1x3x3xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x4x4xi1> -> tensor<2x4x4xf32>
  %p = ntensor.neuron "plane" @pass(%a) {params = {}, initial = {}} : (tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %f = ntensor.reshape "flat" %p : tensor<2x4x4xi1> -> tensor<32xi1>
  %b = ntensor.linear "fc" %f {weight = #nopt.array<constant(value = 1.0) : tensor<12x32xf32>>} : tensor<32xi1> -> tensor<12xf32>
  %g = ntensor.reshape "grid" %b : tensor<12xf32> -> tensor<3x4xf32>
  %o = ntensor.neuron "last" @pass(%g) {params = {}, initial = {}} : (tensor<3x4xf32>) -> tensor<3x4xi1>
  ntensor.output %o : tensor<3x4xi1>
}
