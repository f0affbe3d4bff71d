ntensor.network @n("x" %x: tensor<2xi1>) -> ("a": tensor<1xf64>) attributes {tick_ns = 1000000} {
  %a = ntensor.linear "fa" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>, plasticity = #ntensor.learning<@grow, {k = "a"}>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %a : tensor<1xf64>
}
