nir.graph @wide("in" %x: tensor<2xi1>) -> ("out": tensor<6xi1>) {
  %h = nir.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.5], [0.5, 1.0], [1.0, 1.0], [0.5, 0.5], [1.0, 0.25], [0.25, 1.0]] : tensor<6x2xf32>>} : tensor<2xi1> -> tensor<6xf32>
  %z = nir.lif "a" %h {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<[1.0, 1.000001, 1.000002, 1.000003, 1.000004, 1.000005] : tensor<6xf32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<6xf32> -> tensor<6xi1>
  %i = nir.linear "fc2" %z {weight = #nopt.array<[[1.0, 0.5, 1.0, 1.0, 0.5, 1.0], [0.5, 1.0, 1.0, 0.5, 1.0, 1.0]] : tensor<2x6xf32>>} : tensor<6xi1> -> tensor<2xf32>
  %y = nir.lif "b" %i {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %j = nir.linear "fc3" %y {weight = #nopt.array<[[1.0, 0.5], [0.5, 1.0], [1.0, 1.0], [0.5, 0.5], [1.0, 0.25], [0.25, 1.0]] : tensor<6x2xf32>>} : tensor<2xi1> -> tensor<6xf32>
  %o = nir.lif "c" %j {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<6xf32> -> tensor<6xi1>
  nir.output %o : tensor<6xi1>
}
