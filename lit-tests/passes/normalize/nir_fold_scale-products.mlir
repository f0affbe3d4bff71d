// RUN: nopt %s --split-input-file -p nir-fold-scale | filecheck %s

// Assignment of factors to weights. Two groups: outputs 0 and 1 read channels 0 and 1, outputs 2 and 3 read 2 and 3; the second axis
// of the weights counts within the group. Factors 1, 2, 4, 8 of the channels read are [1, 2] for the first group, [4, 8] for the second.
// CHECK-LABEL: nir.graph @groups
// CHECK: nir.conv1d "conv" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[1.0], [2.0]], [[1.0], [2.0]], [[4.0], [8.0]], [[4.0], [8.0]]] : tensor<4x2x1xf32>>
// CHECK-SAME{LITERAL}: bias = #nopt.array<[1.0, 1.0, 1.0, 1.0] : tensor<4xf32>>
nir.graph @groups("input" %x: tensor<4x1xf32>) -> ("output": tensor<4x1xf32>) {
  %y = nir.scale "gain" %x {scale = #nopt.array<[[1.0], [2.0], [4.0], [8.0]] : tensor<4x1xf32>>} : tensor<4x1xf32> -> tensor<4x1xf32>
  %z = nir.conv1d "conv" %y {weight = #nopt.array<[[[1.0], [1.0]], [[1.0], [1.0]], [[1.0], [1.0]], [[1.0], [1.0]]] : tensor<4x2x1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<2 : tensor<i64>>, bias = #nopt.array<[1.0, 1.0, 1.0, 1.0] : tensor<4xf32>>} : tensor<4x1xf32> -> tensor<4x1xf32>
  nir.output %z : tensor<4x1xf32>
}

// -----

// Backwards the factors are those of the output channels, for all groups, and the bias is multiplied, too.
// CHECK-LABEL: nir.graph @given
// CHECK: nir.conv1d "conv" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[1.0], [1.0]], [[2.0], [2.0]], [[4.0], [4.0]], [[8.0], [8.0]]] : tensor<4x2x1xf32>>
// CHECK-SAME{LITERAL}: bias = #nopt.array<[1.0, 2.0, 4.0, 8.0] : tensor<4xf32>>
nir.graph @given("input" %x: tensor<4x1xf32>) -> ("output": tensor<4x1xf32>) {
  %y = nir.conv1d "conv" %x {weight = #nopt.array<[[[1.0], [1.0]], [[1.0], [1.0]], [[1.0], [1.0]], [[1.0], [1.0]]] : tensor<4x2x1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<2 : tensor<i64>>, bias = #nopt.array<[1.0, 1.0, 1.0, 1.0] : tensor<4xf32>>} : tensor<4x1xf32> -> tensor<4x1xf32>
  %z = nir.scale "gain" %y {scale = #nopt.array<[[1.0], [2.0], [4.0], [8.0]] : tensor<4x1xf32>>} : tensor<4x1xf32> -> tensor<4x1xf32>
  nir.output %z : tensor<4x1xf32>
}

// -----

// A linear map with a leading axis: weight [l, o, i], factors [l, i] apply to its columns. A scalar bias becomes one entry per row
// if factors differ, and stays a scalar for a single factor.
// CHECK-LABEL: nir.graph @leading
// CHECK: nir.linear "columns" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[1.0, 2.0]], [[4.0, 8.0]]] : tensor<2x1x2xf32>>
// CHECK: nir.affine "rows" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[2.0, 2.0]], [[4.0, 4.0]]] : tensor<2x1x2xf32>>, bias = #nopt.array<[[2.0], [4.0]] : tensor<2x1xf32>>
// CHECK: nir.affine "one" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[0.5, 0.5]], [[0.5, 0.5]]] : tensor<2x1x2xf32>>, bias = #nopt.array<0.5 : tensor<f32>>
nir.graph @leading("input" %x: tensor<2x2xf32>) -> ("a": tensor<2x1xf32>, "b": tensor<2x1xf32>, "c": tensor<2x1xf32>) {
  %0 = nir.scale "s0" %x {scale = #nopt.array<[[1.0, 2.0], [4.0, 8.0]] : tensor<2x2xf32>>} : tensor<2x2xf32> -> tensor<2x2xf32>
  %a = nir.linear "columns" %0 {weight = #nopt.array<[[[1.0, 1.0]], [[1.0, 1.0]]] : tensor<2x1x2xf32>>} : tensor<2x2xf32> -> tensor<2x1xf32>
  %1 = nir.affine "rows" %x {weight = #nopt.array<[[[1.0, 1.0]], [[1.0, 1.0]]] : tensor<2x1x2xf32>>, bias = #nopt.array<1.0 : tensor<f32>>} : tensor<2x2xf32> -> tensor<2x1xf32>
  %b = nir.scale "s1" %1 {scale = #nopt.array<[[2.0], [4.0]] : tensor<2x1xf32>>} : tensor<2x1xf32> -> tensor<2x1xf32>
  %2 = nir.affine "one" %x {weight = #nopt.array<[[[1.0, 1.0]], [[1.0, 1.0]]] : tensor<2x1x2xf32>>, bias = #nopt.array<1.0 : tensor<f32>>} : tensor<2x2xf32> -> tensor<2x1xf32>
  %c = nir.scale "s2" %2 {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2x1xf32> -> tensor<2x1xf32>
  nir.output %a, %b, %c : tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>
}
