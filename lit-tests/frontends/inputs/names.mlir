nir.graph @names("" %x: tensor<1xf32>) -> (".": tensor<1xf32>) {
  %y = nir.scale "fc/1" %x {scale = #nopt.array<[2.0] : tensor<1xf32>>, metadata = {"a/b" = "c"}} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}
