nir.graph @net("x" %x: tensor<3xi1>) -> ("y": tensor<2xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.5, -0.25, 0.0], [0.75, 0.25, 1.0]] : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %s = nir.cuba_lif "one" %a {tau_mem = #nopt.array<[0.02, 0.02] : tensor<2xf32>>, tau_syn = #nopt.array<[0.01, 0.01] : tensor<2xf32>>, w_in = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[0.5, 0.5] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "fc2" %s {weight = #nopt.array<[[1.0, 0.5], [0.25, -1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %o = nir.cuba_lif "two" %b {tau_mem = #nopt.array<[0.02, 0.02] : tensor<2xf32>>, tau_syn = #nopt.array<[0.005, 0.005] : tensor<2xf32>>, w_in = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[0.5, 0.5] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %o : tensor<2xi1>
}
