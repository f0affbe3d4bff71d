nir.graph @layers("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %h = nir.affine "fc1" %x {weight = #nopt.array<[[3.0, -1.0], [0.5, 1.5]] : tensor<2x2xf32>>, bias = #nopt.array<[0.5, 0.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.lif "a" %h {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %d = nir.delay "late" %z {delay = #nopt.array<[0.004, 0.004] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xi1>
  %i = nir.linear "fc2" %d {weight = #nopt.array<[[3.0, -1.0], [0.5, 1.5]] : tensor<2x2xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<2xf32>
  %o = nir.lif "b" %i {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %o : tensor<2xi1>
}
