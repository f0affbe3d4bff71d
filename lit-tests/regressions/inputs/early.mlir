nir.graph @net("in" %x: tensor<1xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %z = nir.lif "lif1" %a {tau = #nopt.array<[0.008] : tensor<1xf64>>, r = #nopt.array<[4.0] : tensor<1xf64>>, v_leak = #nopt.array<[0.0] : tensor<1xf64>>, v_threshold = #nopt.array<[0.5] : tensor<1xf64>>, v_reset = #nopt.array<[0.0] : tensor<1xf64>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.affine "fc2" %z {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, bias = #nopt.array<[0.25] : tensor<1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %y = nir.lif "lif2" %b {tau = #nopt.array<[0.008] : tensor<1xf64>>, r = #nopt.array<[4.0] : tensor<1xf64>>, v_leak = #nopt.array<[0.1] : tensor<1xf64>>, v_threshold = #nopt.array<[0.5] : tensor<1xf64>>, v_reset = #nopt.array<[0.0] : tensor<1xf64>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %y : tensor<1xi1>
}
