ntensor.network @uneven("x" %x: tensor<4xi1>) -> ("y": tensor<2xi32>) attributes {tick_ns = 1000000 : i64, machine.device = "memxbar/array128"} {
  %l = ntensor.linear "fc" %x {weight = #nopt.array<[[31, 31, 31, 31], [1, 0, 0, 0]] : tensor<2x4xi8>>, quantized = #ntensor.quantized<6, #nopt.array<1.0 : tensor<f64>>>} : tensor<4xi1> -> tensor<2xi32>
  ntensor.output %l : tensor<2xi32>
}
