nir.graph @stdp("x" %x: tensor<3xi1>) -> ("y": tensor<2xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.5, 0.25, 0.0], [0.75, 0.25, 1.0]] : tensor<2x3xf32>>, plasticity = #nir.rule<"triplet", {a2_plus = 0.01, a2_minus = 0.012, a3_plus = 0.02, a3_minus = 0.004, tau_plus = 0.02, tau_minus = 0.02, tau_x = 0.05, tau_y = 0.04, w_min = 0.0, w_max = 1.0}>} : tensor<3xi1> -> tensor<2xf32>
  %s = nir.lif "one" %a {tau = #nopt.array<[0.002, 0.002] : tensor<2xf32>>, r = #nopt.array<[2.0, 2.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[0.5, 0.5] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %s : tensor<2xi1>
}
