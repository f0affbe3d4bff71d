nir.graph @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.affine "fc1" %x {weight = #nopt.array<[[0.5, -0.875], [0.0, 0.625], [0.5, 0.875]] : tensor<3x2xf32>>, bias = #nopt.array<[0.125, 0.0, -0.25] : tensor<3xf32>>} : tensor<2xf32> -> tensor<3xf32>
  %y = nir.if "hidden" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<3xf32> -> tensor<3xi1>
  %b = nir.linear "fc2" %y {weight = #nopt.array<[[0.25, 0.875, -0.25], [-0.875, 0.0, 0.5]] : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %z = nir.if "readout" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
