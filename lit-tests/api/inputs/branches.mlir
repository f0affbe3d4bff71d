// The output follows the population "large"; "small" has a weight of 0.3, beside one of 1.0 for the other input.
nir.graph @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %large = nir.if "large" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "fc2" %x {weight = #nopt.array<[[0.3, 1.0]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %small = nir.if "small" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.25 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %c = nir.linear "fc3" %large {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %d = nir.linear "fc4" %small {weight = #nopt.array<[[0.0625], [0.0625]] : tensor<2x1xf32>>} : tensor<1xi1> -> tensor<2xf32>
  %s = nir.sum %c, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.if "out" %s {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
