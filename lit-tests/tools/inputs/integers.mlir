ntensor.network @integers("input" %x: tensor<2xi1>) -> ("output": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = ntensor.linear "0" %x {weight = #nopt.array<[[1, -8], [7, 0]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}
