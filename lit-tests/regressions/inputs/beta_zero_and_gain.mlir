nir.graph @beta_zero_and_gain("input" %x: tensor<1xf32>) -> ("output": tensor<1xi1>) {
  %y = nir.lif "lif" %x {
    tau = #nopt.array<1.0e-4 : tensor<f32>>,
    r = #nopt.array<1.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xi1>
  %w = nir.linear "linear" %y {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %z = nir.lif "slow" %w {
    tau = #nopt.array<2.0e-3 : tensor<f32>>,
    r = #nopt.array<20.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
