nir.graph @two("in" %in: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %x = nir.linear "fc.1" %in {weight = #nopt.array<[[1.0, 0.5], [0.25, 2.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "lif.1" %x {tau = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
