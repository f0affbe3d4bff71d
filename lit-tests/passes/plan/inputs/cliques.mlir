ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
ntensor.network @cliques("in" %x: tensor<12xf32>) -> ("out": tensor<12xi1>) attributes {tick_ns = 1000} {
  %d = ntensor.delay "d" %z {ticks = #nopt.array<1 : tensor<i64>>} : tensor<12xi1>
  %r = ntensor.sparse_linear "rec" %d {weight = #nopt.array<constant(value = 1.0) : tensor<61xf32>>, source = #nopt.array<[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11] : tensor<61xi32>>, target = #nopt.array<[1, 2, 4, 6, 8, 10, 3, 5, 7, 9, 11, 0, 4, 6, 8, 10, 1, 5, 7, 9, 11, 0, 2, 6, 8, 10, 1, 3, 7, 9, 11, 0, 2, 4, 8, 10, 1, 3, 5, 9, 11, 0, 2, 4, 6, 10, 1, 3, 5, 7, 11, 0, 2, 4, 6, 8, 1, 3, 5, 7, 9] : tensor<61xi32>>} : tensor<12xi1> -> tensor<12xf32>
  %s = ntensor.sum %r, %x : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
  %z = ntensor.neuron "two" @pass(%s) {params = {}, initial = {}} : (tensor<12xf32>) -> tensor<12xi1>
  ntensor.output %z : tensor<12xi1>
}
