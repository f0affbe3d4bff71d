nir.graph @loop("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5, 1.0], [1.0, 0.5]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %b = nir.linear "rec" %z {weight = #nopt.array<[[0.0, 1.0], [-1.0, 0.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %c = nir.sum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.if "lif" %c {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.75 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
