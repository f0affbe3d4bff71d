// The pass refuses no network. A signal without axes has nothing to expand to, and sizes of a convolution are not parameters of neurons.
// RUN: nopt %s -p nir-expand-parameters | filecheck %s
// RUN: not nopt %s -p 'nir-expand-parameters{shape=2}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for nir-expand-parameters
// OPTION: help: nopt passes nir-expand-parameters

// CHECK: r = #nopt.array<1.0 : tensor<f32>>
// CHECK: stride = #nopt.array<1 : tensor<i64>>
// CHECK-SAME: bias = #nopt.array<[0.0, 0.0] : tensor<2xf32>>
nir.graph @point("input" %x: tensor<f32>, "row" %r: tensor<1x3xf32>) -> ("output": tensor<f32>, "rows": tensor<2x3xf32>) {
  %z = nir.i "i" %x {r = #nopt.array<1.0 : tensor<f32>>} : tensor<f32> -> tensor<f32>
  %y = nir.conv1d "conv" %r {weight = #nopt.array<[[[1.0]], [[1.0]]] : tensor<2x1x1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x3xf32> -> tensor<2x3xf32>
  nir.output %z, %y : tensor<f32>, tensor<2x3xf32>
}
