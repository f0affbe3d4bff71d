nir.graph @row("x" %x: tensor<2x6xf32>) -> ("out": tensor<1x4xi1>) {
  %a = nir.conv1d "c" %x {weight = #nopt.array<constant(value = 1.0) : tensor<1x2x3xf32>>, bias = #nopt.array<constant(value = 0.0) : tensor<1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<2x6xf32> -> tensor<1x4xf32>
  %z = nir.if "n" %a {r = #nopt.array<constant(value = 1.0) : tensor<1x4xf32>>, v_threshold = #nopt.array<constant(value = 1.0) : tensor<1x4xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<1x4xf32>>} : tensor<1x4xf32> -> tensor<1x4xi1>
  nir.output %z : tensor<1x4xi1>
}
