// Weights of many sizes, more than the four values of a neuron of TrueNorth.
nir.graph @net("input" %x: tensor<12xf32>) -> ("output": tensor<6xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[-0.40, -0.66, -0.12, 0.21, 0.57, 0.05, -0.28, -0.39, 0.37, 0.82, 0.14, -0.62], [-0.48, 0.80, 0.10, -0.87, -0.04, -0.58, -0.31, -0.24, -0.36, 0.28, -0.03, -0.29], [0.20, 0.41, -0.82, -0.13, -0.49, -0.09, -0.64, 0.01, -0.02, -0.15, -0.52, -0.20], [-0.55, -0.68, 0.11, -0.55, 0.59, 0.36, -1.00, 0.14, -0.55, 0.02, 0.02, -0.99], [-0.12, -0.13, 0.48, -0.59, 0.37, -0.55, -0.17, -0.42, 0.72, 0.28, 1.22, 0.32], [0.42, 0.42, -0.30, -0.04, 0.68, -0.20, 0.09, -0.01, 0.30, -0.18, -0.08, 0.12]] : tensor<6x12xf32>>} : tensor<12xf32> -> tensor<6xf32>
  %z = nir.if "if" %a {
    r = #nopt.array<1.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<6xf32> -> tensor<6xi1>
  nir.output %z : tensor<6xi1>
}
