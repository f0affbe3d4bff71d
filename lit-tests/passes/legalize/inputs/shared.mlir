nir.graph @shared("in" %x: tensor<2xi1>) -> ("first": tensor<2xi1>, "second": tensor<2xi1>) {
  %a = nir.linear "one" %x {weight = #nopt.array<[[3.0, -1.0], [1.0, 2.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %y = nir.lif "a" %a {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %z = nir.lif "b" %a {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1000.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y, %z : tensor<2xi1>, tensor<2xi1>
}
