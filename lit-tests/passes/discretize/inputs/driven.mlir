nir.graph @driven("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %s = nir.linear "w" %x {weight = #nopt.array<[[1.0, 2.0], [0.0, 4.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.if "cell" %s {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
