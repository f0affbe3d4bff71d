nir.graph @values("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.li "li" %x {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}
