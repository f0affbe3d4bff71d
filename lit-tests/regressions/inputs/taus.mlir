nir.graph @net("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %a = nir.linear "one" %x {weight = #nopt.array<[[1.0, 0.5], [0.5, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %s = nir.lif "fast" %a {tau = #nopt.array<0.001 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<0.25 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "two" %s {weight = #nopt.array<[[1.0, 0.5], [0.5, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %y = nir.lif "slow" %b {tau = #nopt.array<1.0 : tensor<f32>>, r = #nopt.array<1000.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<0.25 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}
