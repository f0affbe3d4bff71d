nir.graph @late("x" %x: tensor<2xi1>) -> ("y": tensor<4xi1>) {
  %d = nir.delay "wait" %x {delay = #nopt.array<constant(value = 0.008) : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xi1>
  %a = nir.linear "fc1" %d {weight = #nopt.array<constant(value = 1.0) : tensor<4x2xf32>>} : tensor<2xi1> -> tensor<4xf32>
  %s = nir.lif "one" %a {tau = #nopt.array<constant(value = 0.002) : tensor<4xf32>>, r = #nopt.array<constant(value = 2.0) : tensor<4xf32>>, v_leak = #nopt.array<constant(value = 0.0) : tensor<4xf32>>, v_threshold = #nopt.array<constant(value = 0.5) : tensor<4xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<4xf32>>} : tensor<4xf32> -> tensor<4xi1>
  nir.output %s : tensor<4xi1>
}
