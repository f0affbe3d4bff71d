nir.graph @n("x" %x: tensor<2xf32>) -> ("y": tensor<2xi1>) {
  %y = nir.lif "lif" %x {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.5 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}
