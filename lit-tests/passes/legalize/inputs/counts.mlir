nir.graph @counts("in" %in: tensor<1x4x4xi1>) -> ("out": tensor<2xi1>) {
  %a = nir.conv2d "conv" %in {weight = #nopt.array<[[[[1.0]]], [[[2.0]]]] : tensor<2x1x1x1xf32>>, bias = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x4x4xi1> -> tensor<2x4x4xf32>
  %z = nir.if "if" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2x4x4xf32> -> tensor<2x4x4xi1>
  %p = nir.avg_pool2d "pool" %z {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<2x4x4xi1> -> tensor<2x2x2xf32>
  %f = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2x2x2xf32> -> tensor<8xf32>
  %b = nir.linear "fc" %f {weight = #nopt.array<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0]] : tensor<2x8xf32>>} : tensor<8xf32> -> tensor<2xf32>
  %o = nir.if "if2" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %o : tensor<2xi1>
}
