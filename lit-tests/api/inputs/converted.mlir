nir.graph @converted("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc1" %in {weight = #nopt.array<[[3.0], [6.0], [-1.0], [-2.0]] : tensor<4x1xf32>>} : tensor<1xf32> -> tensor<4xf32>
  %y = nir.if "if1" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<4xf32> -> tensor<4xi1>
  %b = nir.linear "fc2" %y {weight = #nopt.array<[[0.05, 0.1, 0.0, 0.0]] : tensor<1x4xf32>>} : tensor<4xi1> -> tensor<1xf32>
  %z = nir.if "if2" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
