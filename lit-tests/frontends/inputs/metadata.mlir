nir.graph @metadata("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) attributes {metadata = {metadata = "text", rows = [["a"], ["b", "c"]], zero = "a\00b"}} {
  %y = nir.scale "fc" %x {scale = #nopt.array<[2.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}
