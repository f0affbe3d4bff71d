// RUN: nopt %s | filecheck %s
// RUN: nopt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s
// RUN: nopt %s > %t.a && nopt %t.a > %t.b && diff %t.a %t.b

// Linear and affine map the last axis; leading axes of the weight are those of the operand.
// CHECK-LABEL: nir.graph @dense
// CHECK-NEXT:    nir.linear "l" %x {weight = #nopt.array<{{\[\[}}1.0, 2.0, 3.0]] : tensor<1x3xf32>>} : tensor<3xf32> -> tensor<1xf32>
// CHECK-NEXT:    nir.affine "a" %x {weight = #nopt.array<{{\[\[}}1.0, 2.0, 3.0]] : tensor<1x3xf32>>, bias = #nopt.array<[0.5] : tensor<1xf32>>} : tensor<3xf32> -> tensor<1xf32>
// CHECK-NEXT:    nir.affine "b" %z {weight = #nopt.array<{{.*}} : tensor<2x1x3xf32>>, bias = #nopt.array<0.5 : tensor<f32>>} : tensor<2x3xi1> -> tensor<2x1xf32>
// GENERIC:       "nir.linear"(%x) <{node = "l", weight = #nopt.array<{{\[\[}}1.0, 2.0, 3.0]] : tensor<1x3xf32>>}> : (tensor<3xf32>) -> tensor<1xf32>
// GENERIC:       "nir.affine"(%x) <{node = "a", weight = {{.*}}, bias = #nopt.array<[0.5] : tensor<1xf32>>}>
nir.graph @dense("x" %x: tensor<3xf32>, "z" %z: tensor<2x3xi1>) -> ("out": tensor<1xf32>) {
  %l = nir.linear "l" %x {weight = #nopt.array<[[1.0, 2.0, 3.0]] : tensor<1x3xf32>>} : tensor<3xf32> -> tensor<1xf32>
  %a = nir.affine "a" %x {weight = #nopt.array<[[1.0, 2.0, 3.0]] : tensor<1x3xf32>>, bias = #nopt.array<[0.5] : tensor<1xf32>>} : tensor<3xf32> -> tensor<1xf32>
  %b = nir.affine "b" %z {weight = #nopt.array<[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]] : tensor<2x1x3xf32>>, bias = #nopt.array<0.5 : tensor<f32>>} : tensor<2x3xi1> -> tensor<2x1xf32>
  nir.output %a : tensor<1xf32>
}

// A scale for each neuron, or one for all.
// CHECK-LABEL: nir.graph @scale
// CHECK-NEXT:    nir.scale "s" %x {scale = #nopt.array<[1.0, 2.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
// CHECK-NEXT:    nir.scale "t" %x {scale = #nopt.array<3.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xf32>
nir.graph @scale("in" %x: tensor<2xi1>) -> ("out": tensor<2xf32>) {
  %s = nir.scale "s" %x {scale = #nopt.array<[1.0, 2.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %t = nir.scale "t" %x {scale = #nopt.array<3.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xf32>
  nir.output %s : tensor<2xf32>
}

// Positions on an axis: floor((n + 2 padding - dilation (k - 1) - 1) / stride) + 1; here (7 + 2 - 4 - 1) / 2 + 1 = 3.
// CHECK-LABEL: nir.graph @conv1d
// CHECK-NEXT:    nir.conv1d "c" %x {weight = #nopt.array<{{.*}} : tensor<1x1x3xf32>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<1 : tensor<i64>>, dilation = #nopt.array<2 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, input_shape = #nopt.array<7 : tensor<i64>>} : tensor<1x7xf32> -> tensor<1x3xf32>
// GENERIC:       "nir.conv1d"(%x) <{node = "c", weight = {{.*}}, input_shape = #nopt.array<7 : tensor<i64>>}> : (tensor<1x7xf32>) -> tensor<1x3xf32>
nir.graph @conv1d("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x3xf32>) {
  %c = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<1 : tensor<i64>>, dilation = #nopt.array<2 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, input_shape = #nopt.array<7 : tensor<i64>>} : tensor<1x7xf32> -> tensor<1x3xf32>
  nir.output %c : tensor<1x3xf32>
}

// A kernel of 1 x 3 with stride (2, 1): (5 - 0 - 1) / 2 + 1 = 3 and (6 - 2 - 1) / 1 + 1 = 4; two groups of one channel each.
// CHECK-LABEL: nir.graph @conv2d
// CHECK-NEXT:    nir.conv2d "c" %x {{.*}}stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = "valid"{{.*}}groups = #nopt.array<2 : tensor<i64>>{{.*}} : tensor<2x5x6xi1> -> tensor<2x3x4xf32>
// GENERIC:       "nir.conv2d"(%x) <{node = "c", {{.*}}padding = "valid"
nir.graph @conv2d("in" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x3x4xf32>) {
  %c = nir.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0, 3.0]]], [[[4.0, 5.0, 6.0]]]] : tensor<2x1x1x3xf32>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = "valid", dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = #nopt.array<2 : tensor<i64>>, bias = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2x5x6xi1> -> tensor<2x3x4xf32>
  nir.output %c : tensor<2x3x4xf32>
}

// Padding "same" keeps the size, also for an even kernel and a dilation.
// CHECK-LABEL: nir.graph @same
// CHECK-NEXT:    padding = "same"{{.*}} : tensor<1x5x6xf32> -> tensor<1x5x6xf32>
nir.graph @same("in" %x: tensor<1x5x6xf32>) -> ("out": tensor<1x5x6xf32>) {
  %c = nir.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]]] : tensor<1x1x2x2xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = "same", dilation = #nopt.array<[1, 2] : tensor<2xi64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x5x6xf32> -> tensor<1x5x6xf32>
  nir.output %c : tensor<1x5x6xf32>
}

// Pools: (4 - 1 - 1) / 2 + 1 = 2; (5 + 2 - 2 - 1) / 2 + 1 = 3 and (6 + 0 - 1 - 1) / 3 + 1 = 2.
// CHECK-LABEL: nir.graph @pools
// CHECK-NEXT:    nir.sum_pool2d "s" %x {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>} : tensor<3x4x4xi1> -> tensor<3x2x2xf32>
// CHECK-NEXT:    nir.avg_pool2d "a" %z {kernel_size = #nopt.array<[3, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 3] : tensor<2xi64>>, padding = #nopt.array<[1, 0] : tensor<2xi64>>} : tensor<1x5x6xf32> -> tensor<1x3x2xf32>
// GENERIC:       "nir.sum_pool2d"(%x) <{node = "s", kernel_size = #nopt.array<2 : tensor<i64>>
// GENERIC:       "nir.avg_pool2d"(%z) <{node = "a", kernel_size = #nopt.array<[3, 2] : tensor<2xi64>>
nir.graph @pools("x" %x: tensor<3x4x4xi1>, "z" %z: tensor<1x5x6xf32>) -> ("out": tensor<3x2x2xf32>) {
  %s = nir.sum_pool2d "s" %x {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>} : tensor<3x4x4xi1> -> tensor<3x2x2xf32>
  %a = nir.avg_pool2d "a" %z {kernel_size = #nopt.array<[3, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 3] : tensor<2xi64>>, padding = #nopt.array<[1, 0] : tensor<2xi64>>} : tensor<1x5x6xf32> -> tensor<1x3x2xf32>
  nir.output %s : tensor<3x2x2xf32>
}

// Features of chips: a delay of each synapse, plasticity, and the kind of transmission.
// CHECK-LABEL: nir.graph @beside
// CHECK-NEXT:    nir.linear "l" %x {weight = #nopt.array<{{.*}} : tensor<1x2xf32>>, delays = #nopt.array<{{\[\[}}0.0, 0.002]] : tensor<1x2xf32>>, plasticity = #nir.stdp<{{.*}}>, transmission = #nir.transmission<spike>}
// CHECK-NEXT:    nir.scale "s" %x {{.*}}transmission = #nir.transmission<rate>
// CHECK-NEXT:    nir.scale "t" %x {{.*}}delays = #nopt.array<0.001 : tensor<f32>>, transmission = #nir.transmission<analog>
// GENERIC:       "nir.linear"(%x) <{node = "l", weight = {{.*}}, delays = {{.*}}, plasticity = #nir.stdp<{{.*}}>, transmission = #nir.transmission<spike>}>
nir.graph @beside("in" %x: tensor<2xi1>) -> ("out": tensor<1xf32>) {
  %l = nir.linear "l" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, delays = #nopt.array<[[0.0, 0.002]] : tensor<1x2xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>, transmission = #nir.transmission<spike>} : tensor<2xi1> -> tensor<1xf32>
  %s = nir.scale "s" %x {scale = #nopt.array<1.0 : tensor<f32>>, transmission = #nir.transmission<rate>} : tensor<2xi1> -> tensor<2xf32>
  %t = nir.scale "t" %x {scale = #nopt.array<1.0 : tensor<f32>>, delays = #nopt.array<0.001 : tensor<f32>>, transmission = #nir.transmission<analog>} : tensor<2xi1> -> tensor<2xf32>
  nir.output %l : tensor<1xf32>
}
