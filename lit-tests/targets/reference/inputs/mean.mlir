ntensor.network @mean("x" %x: tensor<1x1x2xi1>) -> ("y": tensor<1x1x1xi32>) attributes {tick_ns = 1000000} {
  %y = ntensor.avg_pool2d "mean" %x {kernel = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x2xi1> -> tensor<1x1x1xi32>
  ntensor.output %y : tensor<1x1x1xi32>
}
