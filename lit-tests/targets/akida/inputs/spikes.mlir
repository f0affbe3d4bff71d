nir.graph @spikes("x" %x: tensor<4xi1>) -> ("out": tensor<2xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25, 0.5, 0.25], [0.0, 0.5, 0.5, 0.0]] : tensor<2x4xf32>>} : tensor<4xi1> -> tensor<2xf32>
  %z = nir.threshold "th" %a {threshold = #nopt.array<0.75 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
