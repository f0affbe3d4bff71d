nir.graph @net("input" %x: tensor<2xi1>) -> ("output": tensor<2xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.75, 0.5], [0.25, 1.0], [0.5, 0.5]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
  %z = nir.if "hidden" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<3xf32> -> tensor<3xi1>
  %b = nir.linear "fc2" %z {weight = #nopt.array<[[1.0, 0.5, 0.25], [-0.25, 1.0, 0.75]] : tensor<2x3xf32>>, transmission = #nir.transmission<rate>} : tensor<3xi1> -> tensor<2xf32>
  %y = nir.if "out" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}
