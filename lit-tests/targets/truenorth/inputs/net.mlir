nir.graph @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[1.0, 1.0, -1.0, 0.5], [0.0, 1.0, 1.0, 0.5], [1.0, 0.0, -1.0, 0.5]] : tensor<3x4xf32>>} : tensor<4xi1> -> tensor<3xf32>
  %s = nir.if "if1" %a {r = #nopt.array<[1000.0,1000.0,1000.0] : tensor<3xf32>>, v_threshold = #nopt.array<[1.0,1.0,1.0] : tensor<3xf32>>, v_reset = #nopt.array<[0.0,0.0,0.0] : tensor<3xf32>>} : tensor<3xf32> -> tensor<3xi1>
  %b = nir.linear "fc2" %s {weight = #nopt.array<[[1.0, 1.0, -1.0], [0.5, 1.0, 1.0]] : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %o = nir.if "if2" %b {r = #nopt.array<[1000.0,1000.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0,1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0,0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %o : tensor<2xi1>
}
