nir.graph @norse_cuba("input" %x: tensor<1xf32>) -> ("output": tensor<1xi1>) {
  %z = nir.cuba_lif "cuba" %x {
    tau_syn = #nopt.array<5.0e-6 : tensor<f32>>,
    tau_mem = #nopt.array<2.0e-5 : tensor<f32>>,
    r = #nopt.array<1.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>,
    w_in = #nopt.array<1.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
