nir.graph @net("in" %in: tensor<4xf32>) -> ("out": tensor<2xi1>) {
  %big = nir.linear "0" %in {weight = #nopt.array<[[0.5, -0.25, 0.0, 0.0], [0.25, 0.0, 0.5, 0.5]] : tensor<2x4xf32>>} : tensor<4xf32> -> tensor<2xf32>
  %small = nir.linear "0.small" %in {weight = #nopt.array<[[0.0, 0.0, 0.03125, 0.0], [0.0, 0.0, 0.0, 0.0]] : tensor<2x4xf32>>} : tensor<4xf32> -> tensor<2xf32>
  %sum = nir.sum %big, %small : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %if = nir.if "lif1.if" %sum {r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %if : tensor<2xi1>
}
