nir.graph @plane("input" %x: tensor<1x2x2xf32>) -> ("output": tensor<1x2x2xi1>) {
  %z = nir.lif "lif" %x {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2x2xf32> -> tensor<1x2x2xi1>
  nir.output %z : tensor<1x2x2xi1>
}
