// Two neurons with weights of very different size: a scale for both makes the small weight 0.
nir.graph @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[100.0, 0.0], [0.0, 0.375]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.if "lif" %a {
    r = #nopt.array<1.0 : tensor<f32>>,
    v_threshold = #nopt.array<[50.0, 0.25] : tensor<2xf32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
