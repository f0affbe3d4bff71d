nir.graph @beta_zero("input" %x: tensor<1xf32>) -> ("output": tensor<1xi1>) {
  %z = nir.lif "lif" %x {
    tau = #nopt.array<1.0e-4 : tensor<f32>>,
    r = #nopt.array<1.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
