ntensor.network @net("x" %x: tensor<1x4x4xi1>) -> ("y": tensor<2xi32>) attributes {tick_ns = 1000000 : i64, machine.device = "memxbar/array128"} {
  %c = ntensor.conv2d "conv" %x {weight = #nopt.array<[[[[1, -2], [3, 0]]]] : tensor<1x1x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64, quantized = #ntensor.quantized<6, #nopt.array<1.0 : tensor<f64>>>} : tensor<1x4x4xi1> -> tensor<1x3x3xi16>
  %p = ntensor.max_pool2d "pool" %c {kernel = #nopt.array<[3, 3] : tensor<2xi64>>, stride = #nopt.array<[3, 3] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x3x3xi16> -> tensor<1x1x1xi16>
  %f = ntensor.reshape "flat" %p : tensor<1x1x1xi16> -> tensor<1xi16>
  %l = ntensor.linear "fc" %f {weight = #nopt.array<[[31], [-5]] : tensor<2x1xi8>>, bias = #nopt.array<[4, 0] : tensor<2xi32>>, exponent = #nopt.array<-1 : tensor<i32>>, quantized = #ntensor.quantized<6, #nopt.array<1.0 : tensor<f64>>>} : tensor<1xi16> -> tensor<2xi32>
  ntensor.output %l : tensor<2xi32>
}
