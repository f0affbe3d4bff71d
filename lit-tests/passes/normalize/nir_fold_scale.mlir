// RUN: nopt %s --split-input-file -p nir-fold-scale | filecheck %s
// RUN: nopt %root/examples/rhythm/rhythm.nir -p nir-fold-scale --verify-equivalence %root/examples/rhythm/input.npy --dt 1ms --like norse -o /dev/null 2>&1 | filecheck %s --check-prefix=EQUAL
// EQUAL: nir-fold-scale: equal

// Forwards into all readers: one factor for each input, so for each column. [[4, 4]] * [0.5, -2] = [[2, -8]].
// CHECK-LABEL: nir.graph @forwards
// CHECK-NEXT: nir.linear "fc1" [[X:%.+]] {weight =
// CHECK-SAME{LITERAL}: [[2.0, -8.0]]
// CHECK-NEXT: nir.affine "fc2" [[X]] {weight =
// CHECK-SAME{LITERAL}: [[0.5, -4.0]] : tensor<1x2xf32>>, bias = #nopt.array<[3.0] : tensor<1xf32>>}
// CHECK-NEXT: nir.output
nir.graph @forwards("input" %x: tensor<2xf32>) -> ("one": tensor<1xf32>, "two": tensor<1xf32>) {
  %y = nir.scale "gain" %x {scale = #nopt.array<[0.5, -2.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %a = nir.linear "fc1" %y {weight = #nopt.array<[[4.0, 4.0]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %b = nir.affine "fc2" %y {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, bias = #nopt.array<[3.0] : tensor<1xf32>>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %a, %b : tensor<1xf32>, tensor<1xf32>
}

// -----

// Backwards if a reader has no weights: one factor for each output, so for each row, and for the bias.
// CHECK-LABEL: nir.graph @backwards
// CHECK-NEXT: [[Y:%.+]] = nir.affine "fc" %{{.+}} {weight =
// CHECK-SAME{LITERAL}: [[0.5], [8.0]] : tensor<2x1xf32>>, bias = #nopt.array<[0.25, 4.0] : tensor<2xf32>>}
// CHECK-NEXT: nir.i "i" [[Y]]
// CHECK-NEXT: nir.output
nir.graph @backwards("input" %x: tensor<1xf32>) -> ("output": tensor<2xf32>) {
  %a = nir.affine "fc" %x {weight = #nopt.array<[[2.0], [2.0]] : tensor<2x1xf32>>, bias = #nopt.array<[1.0, 1.0] : tensor<2xf32>>} : tensor<1xf32> -> tensor<2xf32>
  %y = nir.scale "gain" %a {scale = #nopt.array<[0.25, 4.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.i "i" %y {r = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %z : tensor<2xf32>
}

// -----

// A chain: the first scale is folded into the second, and that one into the weights. 3 is not a power of two, and is not moved.
// CHECK-LABEL: nir.graph @chain
// CHECK-NEXT: nir.scale "b" %{{.+}} {scale = #nopt.array<6.0 : tensor<f32>>}
// CHECK-NEXT: nir.linear "fc" %{{.+}} {weight =
// CHECK-SAME{LITERAL}: [[1.0]] : tensor<1x1xf32>>}
// CHECK-NEXT: nir.output
nir.graph @chain("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %a = nir.scale "a" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = nir.scale "b" %a {scale = #nopt.array<3.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %c = nir.linear "fc" %b {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %c : tensor<1xf32>
}

// -----

// A convolution of two groups has one factor for each channel: group 0 reads channel 0, group 1 channel 1.
// CHECK-LABEL: nir.graph @channels
// CHECK-NEXT: nir.conv1d "conv" %{{.+}} {weight =
// CHECK-SAME{LITERAL}: [[[2.0]], [[4.0]]] : tensor<2x1x1xf32>>
// CHECK-NEXT: nir.output
nir.graph @channels("input" %x: tensor<2x2xf32>) -> ("output": tensor<2x2xf32>) {
  %y = nir.scale "gain" %x {scale = #nopt.array<[[2.0, 2.0], [4.0, 4.0]] : tensor<2x2xf32>>} : tensor<2x2xf32> -> tensor<2x2xf32>
  %z = nir.conv1d "conv" %y {weight = #nopt.array<[[[1.0]], [[1.0]]] : tensor<2x1x1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<2 : tensor<i64>>, bias = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2x2xf32> -> tensor<2x2xf32>
  nir.output %z : tensor<2x2xf32>
}

// -----

// Scales that must not be folded: 3 and 0, which are not powers of two; -2 backwards; a scale with another reader; a product
// that f32 does not represent, 2^-149 / 2; factors that differ within a channel; a synapse that learns; weights that are integers, or a rule.
// CHECK-LABEL: nir.graph @stays
// CHECK-COUNT-9: nir.scale
nir.graph @stays("input" %x: tensor<1x2xf32>) -> ("a": tensor<1x2xf32>, "b": tensor<1x2xf32>, "c": tensor<1x2xf32>, "d": tensor<1x2xf32>, "e": tensor<1x2xf32>, "f": tensor<1x2xf32>, "g": tensor<1x2xf32>, "h": tensor<1x2xf32>) {
  %0 = nir.scale "three" %x {scale = #nopt.array<3.0 : tensor<f32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %a = nir.linear "a1" %0 {weight = #nopt.array<[[[1.0, 0.0], [0.0, 1.0]]] : tensor<1x2x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %1 = nir.scale "zero" %x {scale = #nopt.array<[[2.0, 0.0]] : tensor<1x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %b = nir.linear "b1" %1 {weight = #nopt.array<[[[1.0, 0.0], [0.0, 1.0]]] : tensor<1x2x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %2 = nir.linear "c1" %x {weight = #nopt.array<[[[1.0, 0.0], [0.0, 1.0]]] : tensor<1x2x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %c = nir.scale "minus" %2 {scale = #nopt.array<-2.0 : tensor<f32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %d = nir.scale "shown" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %d1 = nir.linear "d1" %d {weight = #nopt.array<[[[1.0, 0.0], [0.0, 1.0]]] : tensor<1x2x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %4 = nir.scale "small" %x {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %e = nir.linear "e1" %4 {weight = #nopt.array<[[[1.0, 0.0], [0.0, 1.0e-45]]] : tensor<1x2x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %5 = nir.scale "uneven" %x {scale = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %f = nir.conv1d "f1" %5 {weight = #nopt.array<[[[1.0]]] : tensor<1x1x1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %6 = nir.scale "learning" %x {scale = #nopt.array<2.0 : tensor<f32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %g = nir.linear "g1" %6 {weight = #nopt.array<[[[1.0, 0.0], [0.0, 1.0]]] : tensor<1x2x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %7 = nir.scale "integers" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %h = nir.linear "h1" %7 {weight = #nopt.array<[[[1, 0], [0, 1]]] : tensor<1x2x2xi8>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %8 = nir.scale "rule" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %i = nir.linear "i1" %8 {weight = #nopt.array<constant(value = 1.0) : tensor<1x2x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  nir.output %a, %b, %c, %d, %e, %f, %g, %h : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>
}
