ntensor.network @net("input" %x: tensor<3xi1>) -> ("output": tensor<2xi8>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 100, 100], [1, 2, 3]] : tensor<2x3xi8>>} : tensor<3xi1> -> tensor<2xi8>
  ntensor.output %y : tensor<2xi8>
}
