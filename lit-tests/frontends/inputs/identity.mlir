nir.graph @identity("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  %y = nir.subgraph "block" (%x) ("in" %u: tensor<1xf32>) -> ("out": tensor<1xf32>) {
    %a = nir.scale "fc" %u {scale = #nopt.array<[2.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
    %b = nir.identity "same" %a : tensor<1xf32> -> tensor<1xf32>
    nir.output %b : tensor<1xf32>
  }
  nir.output %y : tensor<1xf32>
}
