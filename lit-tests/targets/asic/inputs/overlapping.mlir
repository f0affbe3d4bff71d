// A pool whose windows overlap: two neurons are connected by several synapses.
nir.graph @net("input" %x: tensor<1x4x4xi1>) -> ("output": tensor<3xi1>) {
  %a = nir.conv2d "c1" %x {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, bias = #nopt.array<0.0 : tensor<f32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x4x4xi1> -> tensor<1x4x4xf32>
  %z = nir.if "hidden" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x4x4xf32> -> tensor<1x4x4xi1>
  %p = nir.sum_pool2d "pool" %z {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>} : tensor<1x4x4xi1> -> tensor<1x3x3xf32>
  %f = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x3x3xf32> -> tensor<9xf32>
  %b = nir.linear "fc" %f {weight = #nopt.array<[[1.0, 0.5, 0.25, 1.0, 0.5, 0.25, 1.0, 0.5, 0.25], [0.25, 1.0, 0.75, 0.25, 1.0, 0.75, 0.25, 1.0, 0.75], [0.25, 1.0, 0.75, 0.25, 1.0, 0.75, 0.25, 1.0, 0.75]] : tensor<3x9xf32>>} : tensor<9xf32> -> tensor<3xf32>
  %y = nir.if "out" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<3xf32> -> tensor<3xi1>
  nir.output %y : tensor<3xi1>
}
