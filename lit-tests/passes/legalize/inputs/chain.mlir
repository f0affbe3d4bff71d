nir.graph @chain("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %a = nir.linear "one" %x {weight = #nopt.array<[[3.0, -1.0], [0.5, 1.5]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %b = nir.linear "two" %a {weight = #nopt.array<[[3.0, -1.0], [0.5, 1.5]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "lif" %b {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
