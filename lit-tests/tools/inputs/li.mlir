nir.graph @li("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) {
  %y = nir.li "li" %x {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}
