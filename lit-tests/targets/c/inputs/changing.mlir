ntensor.network @changing("x" %x: tensor<2xi1>) -> ("y": tensor<1xf32>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {
    weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>,
    plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>
  } : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
