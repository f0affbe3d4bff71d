ntensor.network @pool("in" %x: tensor<1x2x2x!ntensor.count<4>>) -> ("out": tensor<1x1x1x!ntensor.count<4>>) attributes {tick_ns = 1000000} {
  %a = ntensor.max_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2x!ntensor.count<4>> -> tensor<1x1x1x!ntensor.count<4>>
  ntensor.output %a : tensor<1x1x1x!ntensor.count<4>>
}
