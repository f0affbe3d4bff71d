nir.graph @mixed("x" %x: tensor<4xi1>) -> ("y": tensor<4xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.5]] : tensor<4x4xf32>>} : tensor<4xi1> -> tensor<4xf32>
  %s = nir.lif "one" %a {tau = #nopt.array<[0.02, 0.03, 0.02, 0.03] : tensor<4xf32>>, r = #nopt.array<[20.0, 30.0, 20.0, 30.0] : tensor<4xf32>>, v_leak = #nopt.array<[0.0, 0.0, 0.0, 0.0] : tensor<4xf32>>, v_threshold = #nopt.array<[1.0, 1.0, 1.0, 1.0] : tensor<4xf32>>, v_reset = #nopt.array<[0.0, 0.0, 0.0, 0.0] : tensor<4xf32>>} : tensor<4xf32> -> tensor<4xi1>
  nir.output %s : tensor<4xi1>
}
