ntensor.network @net("x" %x: tensor<1x1x2xi1>) -> ("y": tensor<2x2x3xi16>) attributes {tick_ns = 1000000 : i64, machine.device = "memxbar/array128"} {
  %u = ntensor.upsample2d "up" %x {factor = #nopt.array<[2, 1] : tensor<2xi64>>} : tensor<1x1x2xi1> -> tensor<1x2x2xi8>
  %y = ntensor.conv_transpose2d "back" %u {weight = #nopt.array<[[[[1, -2]]], [[[3, 0]]]] : tensor<2x1x1x2xi8>>, bias = #nopt.array<[4, 5] : tensor<2xi16>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64, quantized = #ntensor.quantized<6, #nopt.array<1.0 : tensor<f64>>>} : tensor<1x2x2xi8> -> tensor<2x2x3xi16>
  ntensor.output %y : tensor<2x2x3xi16>
}
