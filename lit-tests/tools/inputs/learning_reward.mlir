nir.graph @reward("input" %x: tensor<2xi1>, "dopamine" %d: tensor<1xf32>) -> ("output": tensor<2xi1>) {
  %y = nir.linear "fc" %x {plasticity = #nir.rule<"reward", {a_plus = 0.1, a_minus = 0.1, tau_plus = 0.02, tau_minus = 0.02, tau_c = 0.2, tau_d = 0.1, w_min = 0.0, w_max = 1.0, baseline = 0.0, reward = "dopamine"}>, weight = #nopt.array<[[1.0, 0.35], [0.25, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.if "if" %y {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.9 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
