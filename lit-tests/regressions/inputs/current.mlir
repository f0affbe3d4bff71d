nir.graph @net("in" %x: tensor<1xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %z = nir.cuba_lif "lif" %a {tau_mem = #nopt.array<[0.008] : tensor<1xf64>>, tau_syn = #nopt.array<[0.004] : tensor<1xf64>>, r = #nopt.array<[8.0] : tensor<1xf64>>, w_in = #nopt.array<[4.0] : tensor<1xf64>>, v_leak = #nopt.array<[0.0] : tensor<1xf64>>, v_threshold = #nopt.array<[0.5] : tensor<1xf64>>, v_reset = #nopt.array<[0.0] : tensor<1xf64>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
