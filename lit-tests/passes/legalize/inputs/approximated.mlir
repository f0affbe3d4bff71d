nir.graph @approximated("in" %in: tensor<1xi1>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %d = nir.delay "late" %a {delay = #nopt.array<[0.002] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.lif "lif" %d {tau = #nopt.array<[0.016] : tensor<1xf32>>, r = #nopt.array<[16.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.linear "fc2" %z {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %y = nir.if "if" %b {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %c = nir.linear "fc3" %y {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %o = nir.li "li" %c {tau = #nopt.array<[0.016] : tensor<1xf32>>, r = #nopt.array<[16.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %o : tensor<1xf32>
}
