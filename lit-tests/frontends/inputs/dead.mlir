nir.graph @nowhere("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  %d = nir.scale "fc" %x {scale = #nopt.array<[2.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %x : tensor<1xf32>
}
