nir.graph @n("i" %x: tensor<2xf32>) -> ("o": tensor<2xf32>) {
  %w = nir.linear "w" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.i "i1" %w {r = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %z : tensor<2xf32>
}
