nir.graph @net("input" %x: tensor<1xf32>) -> ("spikes": tensor<2xi1>, "values": tensor<2xf32>) {
  %y = nir.linear "fc" %x {weight = #nopt.array<[[2.0], [6.0]] : tensor<2x1xf32>>} : tensor<1xf32> -> tensor<2xf32>
  %z = nir.lif "lif" %y {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %v = nir.linear "out" %x {weight = #nopt.array<[[2.0], [5.0]] : tensor<2x1xf32>>} : tensor<1xf32> -> tensor<2xf32>
  nir.output %z, %v : tensor<2xi1>, tensor<2xf32>
}
