nir.graph @several("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>, "z": tensor<1xf32>) {
  %y, %z = nir.subgraph "block" (%x, %x) ("a" %u: tensor<1xf32>, "b" %v: tensor<1xf32>) -> ("c": tensor<1xf32>, "d": tensor<1xf32>) {
    %w = nir.scale "fc" %u {scale = #nopt.array<[2.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
    nir.output %w, %v : tensor<1xf32>, tensor<1xf32>
  }
  nir.output %y, %z : tensor<1xf32>, tensor<1xf32>
}
