nir.graph @pairs("input" %x: tensor<2xi1>) -> ("output": tensor<2xi1>) {
  %y = nir.linear "fc" %x {plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>, weight = #nopt.array<[[1.0, 0.35], [0.25, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.if "if" %y {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.9 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
