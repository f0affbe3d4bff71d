nir.graph @net("x" %x: tensor<2xi1>) -> ("y": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[1.0, -0.5]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.02] : tensor<1xf32>>, r = #nopt.array<[20.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
