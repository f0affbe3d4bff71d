nir.graph @net("in" %x: tensor<3xi1>, "dopamine" %d: tensor<1xf32>) -> ("out": tensor<2xi1>) {
  %0 = nir.linear "fc" %x {weight = #nopt.array<[[0.5, 0.2, 0.1], [0.4, 0.3, 0.9]] : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %1 = nir.lif "lif" %0 {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<20.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %1 : tensor<2xi1>
}
