nir.graph @loop("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %a = nir.linear "in" %x {weight = #nopt.array<constant(value = 1.0) : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %s = nir.sum %a, %r : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.if "n" %s {r = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %r = nir.linear "rec" %z {weight = #nopt.array<constant(value = 1.0) : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  nir.output %z : tensor<2xi1>
}
