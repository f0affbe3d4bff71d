nir.graph @scaled("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %s = nir.scale "gain" %x {scale = #nopt.array<[2.0, 4.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %y = nir.linear "fc" %s {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "lif" %y {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
