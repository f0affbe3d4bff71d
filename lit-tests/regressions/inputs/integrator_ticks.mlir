nir.graph @integrator_ticks("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %z = nir.li "integrator" %x {
    tau = #nopt.array<20.0 : tensor<f32>>,
    r = #nopt.array<1.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}
