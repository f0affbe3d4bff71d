nir.graph @spyx_gap("input" %x: tensor<2xf32>) -> ("output": tensor<1xf32>) {
  %a = nir.linear "layer_0" %x {weight = #nopt.array<[[0.5, 1.0], [1.0, 0.5]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %b = nir.linear "layer_2" %a {weight = #nopt.array<[[0.5, 1.0], [1.0, 0.5]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "layer_3" %b {tau = #nopt.array<[10.0, 10.0] : tensor<2xf32>>, r = #nopt.array<[0.9, 0.9] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %y = nir.linear "layer_4" %z {weight = #nopt.array<[[0.5, 1.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}
