nir.graph @spread("x" %x: tensor<12xi1>) -> ("y": tensor<2xi1>) {
  %d = nir.delay "late" %x {delay = #nopt.array<[0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009, 0.01, 0.011, 0.012] : tensor<12xf32>>} : tensor<12xi1> -> tensor<12xi1>
  %a = nir.linear "fc" %d {weight = #nopt.array<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]] : tensor<2x12xf32>>} : tensor<12xi1> -> tensor<2xf32>
  %s = nir.lif "one" %a {tau = #nopt.array<constant(value = 0.002) : tensor<2xf32>>, r = #nopt.array<constant(value = 2.0) : tensor<2xf32>>, v_leak = #nopt.array<constant(value = 0.0) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 0.5) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %s : tensor<2xi1>
}
