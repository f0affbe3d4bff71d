// A delay before the second layer, in seconds: DELAY.
nir.graph @late("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.5, -0.875], [0.0, 0.625]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %y = nir.if "hidden" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %d = nir.delay "late" %y {delay = #nopt.array<DELAY : tensor<f32>>} : tensor<2xi1> -> tensor<2xi1>
  %b = nir.linear "fc2" %d {weight = #nopt.array<[[0.25, 0.875], [-0.875, 0.5]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.if "readout" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
