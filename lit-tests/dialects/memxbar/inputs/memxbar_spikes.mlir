ntensor.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, -1, 1], [0, 1, 1, -1]] : tensor<2x4xi8>>, quantized = #ntensor.quantized<2, #nopt.array<1.0 : tensor<f64>>>} : tensor<4xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}
