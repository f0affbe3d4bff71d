nir.graph @notes("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) attributes {metadata = {array = {dtype = "a", shape = "b", file = "c"}}} {
  %y = nir.scale "fc" %x {scale = #nopt.array<[2.0] : tensor<1xf32>>, metadata = {loss = #nopt.array<"0x0000c07f" : tensor<f32>>}} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}
