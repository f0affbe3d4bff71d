nir.graph @net("x" %x: tensor<2xi1>) -> ("y": tensor<2xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25], [0.75, 0.25]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.if "if" %a {r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
