// A recurrent population with a bias, of a family that all presets have.
nir.graph @loop("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %w = nir.linear "w" %x {weight = #nopt.array<[[2.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %s = nir.sum %w, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.25 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %r = nir.affine "rec" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>, bias = #nopt.array<[0.125] : tensor<1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %z : tensor<1xi1>
}
