// Most presets define no rule of a threshold.
nir.graph @threshold("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %y = nir.threshold "cut" %x {threshold = #nopt.array<[0.5, 1.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}
