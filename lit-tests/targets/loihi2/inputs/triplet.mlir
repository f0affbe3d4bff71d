nir.graph @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5, 0.25]] : tensor<1x2xf32>>, plasticity = #nir.rule<"triplet", {a2_plus = 0.01, a2_minus = 0.01, a3_plus = 0.01, a3_minus = 0.01, tau_plus = 0.02, tau_minus = 0.02, tau_x = 0.1, tau_y = 0.1, w_min = 0.0, w_max = 1.0}>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.if "out" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
