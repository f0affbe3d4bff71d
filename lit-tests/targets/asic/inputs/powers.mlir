nir.graph @powers("input" %x: tensor<3xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[2032.0, -1600.0, 48.0], [-16.0, 2032.0, 1504.0]] : tensor<2x3xf32>>} : tensor<3xf32> -> tensor<2xf32>
  %y = nir.if "hidden" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1500.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "fc2" %y {weight = #nopt.array<[[1536.0, -256.0], [-512.0, 1792.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.if "readout" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<2000.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
