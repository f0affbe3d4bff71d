nir.graph @net("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %a = nir.linear "one" %x {weight = #nopt.array<[[100.0, 50.0], [0.5, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %s = nir.lif "fast" %a {tau = #nopt.array<[0.0010001, 0.002] : tensor<2xf64>>, r = #nopt.array<[1.0, 2.0] : tensor<2xf64>>, v_leak = #nopt.array<[0.02, 0.0] : tensor<2xf64>>, v_threshold = #nopt.array<[0.25, 0.3] : tensor<2xf64>>, v_reset = #nopt.array<0.0 : tensor<f64>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "two" %s {weight = #nopt.array<[[1.0, 0.5], [0.5, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %y = nir.lif "slow" %b {tau = #nopt.array<10.0 : tensor<f64>>, r = #nopt.array<1000.0 : tensor<f64>>, v_leak = #nopt.array<0.0 : tensor<f64>>, v_threshold = #nopt.array<0.25 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}
