ntensor.network @beyond("x" %x: tensor<2xi1>) -> ("y": tensor<1xi64>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[4611686018427387904, 4611686018427387904]] : tensor<1x2xi64>>} : tensor<2xi1> -> tensor<1xi64>
  ntensor.output %y : tensor<1xi64>
}
