nir.graph @two_ways("input" %x: tensor<2xf32>) -> ("spikes": tensor<2xi1>, "values": tensor<2xf32>) {
  %z = nir.lif "lif" %x {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %y = nir.linear "fc" %x {weight = #nopt.array<[[100.0, 0.0], [0.0, 50.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %z, %y : tensor<2xi1>, tensor<2xf32>
}
