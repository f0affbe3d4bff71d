ntensor.network @padded("in" %x: tensor<2x4x4x!ntensor.count<4>>) -> ("out": tensor<1x4x4xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.conv2d "conv" %x {weight = #nopt.array<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], [[-1.0, 2.0, -3.0], [4.0, -5.0, 6.0], [-7.0, 8.0, -9.0]]]] : tensor<1x2x3x3xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<2x4x4x!ntensor.count<4>> -> tensor<1x4x4xf32>
  ntensor.output %a : tensor<1x4x4xf32>
}
