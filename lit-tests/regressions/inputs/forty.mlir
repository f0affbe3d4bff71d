nir.graph @forty("input" %x: tensor<40xf32>) -> ("output": tensor<40xi1>) {
  %z = nir.if "if" %x {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.9 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<40xf32> -> tensor<40xi1>
  nir.output %z : tensor<40xi1>
}
