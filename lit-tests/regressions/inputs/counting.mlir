nir.graph @counting("in" %x: tensor<1x2x2xf32>) -> ("out": tensor<2xi1>) {
  %p = nir.sum_pool2d "pool" %y {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xf32>
  %c = nir.conv2d "conv" %x {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x2x2xf32> -> tensor<1x2x2xf32>
  %y = nir.if "first" %c {r = #nopt.array<[[[1.0, 1.0], [1.0, 1.0]]] : tensor<1x2x2xf32>>, v_threshold = #nopt.array<[[[1.0, 1.0], [1.0, 1.0]]] : tensor<1x2x2xf32>>, v_reset = #nopt.array<[[[0.0, 0.0], [0.0, 0.0]]] : tensor<1x2x2xf32>>} : tensor<1x2x2xf32> -> tensor<1x2x2xi1>
  %f = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<2 : tensor<i64>>} : tensor<1x1x1xf32> -> tensor<1xf32>
  %a = nir.linear "fc" %f {weight = #nopt.array<[[1.0], [0.5]] : tensor<2x1xf32>>} : tensor<1xf32> -> tensor<2xf32>
  %z = nir.if "second" %a {r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
