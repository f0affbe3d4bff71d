nir.graph @net("x" %x: tensor<2xi1>) -> ("y": tensor<2xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25], [0.75, 0.25]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %r = nir.linear "rec" %s {weight = #nopt.array<[[0.5, -0.25], [0.75, 0.25]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %b = nir.sum %r, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %s = nir.cuba_lif "one" %b {tau_syn = #nopt.array<[0.002, 0.002] : tensor<2xf32>>, tau_mem = #nopt.array<[0.004, 0.004] : tensor<2xf32>>, r = #nopt.array<[4.0, 4.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, w_in = #nopt.array<[2.0, 2.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %s : tensor<2xi1>
}
