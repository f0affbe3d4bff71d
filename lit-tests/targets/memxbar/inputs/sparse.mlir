ntensor.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64, machine.device = "memxbar/array128"} {
  %y = ntensor.sparse_linear "s" %x {weight = #nopt.array<[7, -3, 5] : tensor<3xi8>>, source = #nopt.array<[0, 2, 2] : tensor<3xi32>>, target = #nopt.array<[0, 0, 1] : tensor<3xi32>>, delay = #nopt.array<[1, 4, 0] : tensor<3xi32>>, quantized = #ntensor.quantized<6, #nopt.array<1.0 : tensor<f64>>>} : tensor<4xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}
