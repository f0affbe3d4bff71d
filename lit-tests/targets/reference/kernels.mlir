// RUN: python %S/inputs/save.py %t.npy '[[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0]]'
// RUN: nopt run %s --input %t.npy -o %t.npz
// RUN: python %S/inputs/show.py %t.npz | filecheck %s
// RUN: nopt run %s --input %t.npy --sum-order fast -o %t.npz
// RUN: python %S/inputs/show.py %t.npz | filecheck %s --check-prefix=FAST

// Sums add from zero in the order of presynaptic neurons, the bias last: ((2^24 + 1) + 1) - 2^24 is 0 in f32, where the
// exact sum is 2, because 2^24 + 1 is rounded to 2^24. Without the second neuron and the fourth, 2^24 + 1 remains 2^24.
// CHECK-LABEL: index: float32
// CHECK-NEXT: [0.5, 2.0]
// CHECK-NEXT: [16777216.0, 0.0]
// CHECK-NEXT: [0.5, 0.0]

// The operands of a sum are added from left to right: (2^24 + 1) - 2^24, and (2^24 - 2^24) + 1.
// CHECK-LABEL: left: float32
// CHECK-NEXT: [0.0]
// CHECK-LABEL: right: float32
// CHECK-NEXT: [1.0]

// The option allows any order; the shape and type of the result are the same.
// FAST: index: float32

ntensor.network @sums("x" %x: tensor<4xi1>) -> ("index": tensor<2xf32>, "left": tensor<1xf32>, "right": tensor<1xf32>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {
    weight = #nopt.array<[[16777216.0, 1.0, 1.0, -16777216.0], [-1.0, 1.0, 1.0, 1.0]] : tensor<2x4xf32>>,
    bias = #nopt.array<[0.5, 0.0] : tensor<2xf32>>
  } : tensor<4xi1> -> tensor<2xf32>
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[16777216.0, 0.0, 0.0, 0.0]] : tensor<1x4xf32>>} : tensor<4xi1> -> tensor<1xf32>
  %b = ntensor.linear "b" %x {weight = #nopt.array<[[1.0, 0.0, 0.0, 0.0]] : tensor<1x4xf32>>} : tensor<4xi1> -> tensor<1xf32>
  %c = ntensor.scale "c" %a {scale = #nopt.array<-1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %left = ntensor.sum %a, %b, %c : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %right = ntensor.sum %a, %c, %b : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  ntensor.output %y, %left, %right : tensor<2xf32>, tensor<1xf32>, tensor<1xf32>
}
