ntensor.network @narrow("x" %x: tensor<2xi1>) -> ("y": tensor<1xi8>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 100]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  ntensor.output %y : tensor<1xi8>
}
