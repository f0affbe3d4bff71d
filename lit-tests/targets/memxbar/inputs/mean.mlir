ntensor.network @net("x" %x: tensor<1x2x2xi1>) -> ("y": tensor<1x1x1xf32>) attributes {tick_ns = 1000000 : i64, machine.device = "memxbar/array128"} {
  %y = ntensor.avg_pool2d "p" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xf32>
  ntensor.output %y : tensor<1x1x1xf32>
}
