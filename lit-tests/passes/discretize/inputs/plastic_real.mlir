nir.graph @net("in" %x: tensor<2x3xf32>) -> ("out": tensor<2xi1>, "seen": tensor<2x3xf32>) {
  %f = nir.flatten "flat" %x {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<2x3xf32> -> tensor<6xf32>
  %0 = nir.linear "fc" %f {weight = #nopt.array<[[0.5, 0.2, 0.1, 0.4, 0.3, 0.9], [0.5, 0.2, 0.1, 0.4, 0.3, 0.9]] : tensor<2x6xf32>>} : tensor<6xf32> -> tensor<2xf32>
  %1 = nir.threshold "cells" %0 {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %1, %x : tensor<2xi1>, tensor<2x3xf32>
}
