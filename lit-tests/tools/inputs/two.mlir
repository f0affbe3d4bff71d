nir.graph @two("left" %x: tensor<1xf32>, "right" %y: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %s = nir.sum %x, %y : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %s : tensor<1xf32>
}
