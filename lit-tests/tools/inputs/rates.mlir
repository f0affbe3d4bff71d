nir.graph @rates("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf32>>, transmission = #nir.transmission<rate>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
