ntensor.network @binary("x" %x: tensor<4xi1>) -> ("out": tensor<2xi8>) attributes {tick_ns = 1000000 : i64} {
  %fc = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 1, 0], [0, 1, 1, 0]] : tensor<2x4xi8>>} : tensor<4xi1> -> tensor<2xi8>
  ntensor.output %fc : tensor<2xi8>
}
