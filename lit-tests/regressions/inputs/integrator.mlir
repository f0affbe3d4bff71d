nir.graph @net("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %a = nir.linear "one" %x {weight = #nopt.array<[[1.0, 0.5], [0.5, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %s = nir.if "if" %a {r = #nopt.array<1.0 : tensor<f64>>, v_threshold = #nopt.array<0.25 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %s : tensor<2xi1>
}
