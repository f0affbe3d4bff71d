nir.graph @windows("input" %x: tensor<1x5x5xf32>) -> ("output": tensor<1x5x5xi1>) {
  %a = nir.conv2d "conv" %x {weight = #nopt.array<[[[[0.5, -0.875, 0.5], [0.25, 0.625, -0.5], [0.5, 0.25, -0.875]]]] : tensor<1x1x3x3xf32>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[1, 1] : tensor<2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x5x5xf32> -> tensor<1x5x5xf32>
  %y = nir.if "maps" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x5x5xf32> -> tensor<1x5x5xi1>
  nir.output %y : tensor<1x5x5xi1>
}
