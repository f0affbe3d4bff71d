nir.graph @net("input" %x: tensor<1x2x2xi1>) -> ("output": tensor<1xi1>) {
  %p = nir.sum_pool2d "pool" %x {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xf32>
  %f = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x1x1xf32> -> tensor<1xf32>
  %a = nir.linear "fc" %f {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, -1.0, 1.0>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "out" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
