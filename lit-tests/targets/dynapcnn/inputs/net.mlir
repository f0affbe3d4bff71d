nir.graph @net("events" %x: tensor<2x8x8xf32>) -> ("out": tensor<3xi1>) {
  %a = nir.conv2d "c1" %x {weight = #nopt.array<[[[[1.0, 0.5], [0.0, 0.0]], [[0.0, 0.0], [0.25, 0.0]]], [[[0.0, 0.0], [0.0, -0.5]], [[0.0, 0.0], [0.0, 0.0]]]] : tensor<2x2x2x2xf32>>, bias = #nopt.array<[0.25, 0.0] : tensor<2xf32>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<2x8x8xf32> -> tensor<2x4x4xf32>
  %b = nir.if "n1" %a {r = #nopt.array<constant(value = 1.0) : tensor<2x4x4xf32>>, v_threshold = #nopt.array<constant(value = 1.0) : tensor<2x4x4xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<2x4x4xf32>>} : tensor<2x4x4xf32> -> tensor<2x4x4xi1>
  %p = nir.sum_pool2d "p1" %b {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<2x4x4xi1> -> tensor<2x2x2xf32>
  %f = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2x2x2xf32> -> tensor<8xf32>
  %c = nir.linear "fc" %f {weight = #nopt.array<[[1.0, 0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0], [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]] : tensor<3x8xf32>>} : tensor<8xf32> -> tensor<3xf32>
  %d = nir.if "n2" %c {r = #nopt.array<constant(value = 1.0) : tensor<3xf32>>, v_threshold = #nopt.array<constant(value = 2.0) : tensor<3xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<3xf32>>} : tensor<3xf32> -> tensor<3xi1>
  nir.output %d : tensor<3xi1>
}
