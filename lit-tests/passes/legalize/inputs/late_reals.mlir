ntensor.network @reals("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1.0, 2.0] : tensor<2xf64>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, delay = #nopt.array<[1, 40] : tensor<2xi64>>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
