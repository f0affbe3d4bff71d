// Round trip of every parameter that may be a scalar, for every node that has some.
// RUN: nopt %s -p nir-expand-parameters -o %t.large.mlir
// RUN: filecheck %s < %t.large.mlir
// RUN: nopt %t.large.mlir -p nir-contract-parameters -o %t.small.mlir
// RUN: nopt %s | diff %t.small.mlir -

// CHECK: nir.affine "affine" {{.*}}bias = #nopt.array<[0.5, 0.5] : tensor<2xf32>>
// CHECK: nir.scale "scale" {{.*}}scale = #nopt.array<[2.0, 2.0] : tensor<2xf32>>, delays = #nopt.array<[0.001, 0.001] : tensor<2xf32>>
// CHECK: nir.delay "delay" {{.*}}delay = #nopt.array<[0.001, 0.001] : tensor<2xf32>>
// CHECK: nir.cuba_li "cuba_li" {{.*}}tau_syn = #nopt.array<[0.01, 0.01] : tensor<2xf32>>{{.*}}w_in = #nopt.array<[1.0, 1.0] : tensor<2xf32>>
// CHECK: nir.threshold "threshold" {{.*}}threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>
// CHECK: nir.conv1d "conv" {{.*}}groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<[0.5, 0.5] : tensor<2xf32>>
// CHECK: nir.sum_pool2d "pool" {{.*}}delays = #nopt.array<
// CHECK-SAME{LITERAL}: [[0.0, 0.0]] : tensor<1x2xf32>>
nir.graph @nodes("input" %x: tensor<1xf32>, "image" %p: tensor<1x1x2xf32>) -> ("output": tensor<2xi1>, "rows": tensor<2x1xf32>, "pooled": tensor<1x1x1xf32>) {
  %a = nir.affine "affine" %x {weight = #nopt.array<[[1.0], [1.0]] : tensor<2x1xf32>>, bias = #nopt.array<0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<2xf32>
  %b = nir.scale "scale" %a {scale = #nopt.array<2.0 : tensor<f32>>, delays = #nopt.array<0.001 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %c = nir.delay "delay" %b {delay = #nopt.array<0.001 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %d = nir.cuba_li "cuba_li" %c {tau_syn = #nopt.array<0.01 : tensor<f32>>, tau_mem = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, w_in = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %e = nir.threshold "threshold" %d {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %q = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<1x1x2xf32> -> tensor<1x2xf32>
  %f = nir.conv1d "conv" %q {weight = #nopt.array<[[[1.0, 1.0]], [[1.0, 1.0]]] : tensor<2x1x2xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.5 : tensor<f32>>} : tensor<1x2xf32> -> tensor<2x1xf32>
  %g = nir.sum_pool2d "pool" %p {kernel_size = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, delays = #nopt.array<0.0 : tensor<f32>>} : tensor<1x1x2xf32> -> tensor<1x1x1xf32>
  nir.output %e, %f, %g : tensor<2xi1>, tensor<2x1xf32>, tensor<1x1x1xf32>
}
