// RUN: python %S/inputs/save.py %t.npy '[[1, 0], [0, 1], [0, 0], [0, 0]]'
// RUN: nopt run %s --input %t.npy -o %t.npz
// RUN: python %S/inputs/show.py %t.npz | filecheck %s

// 0 -> 0 by 5 without delay and by 7 two ticks later, 0 -> 1 by -3 a tick later, 1 -> 1 by 10 a tick later; the bias of neuron 0 is 1.
// CHECK-LABEL: y: int32
// CHECK-NEXT: [6, 0]
// CHECK-NEXT: [1, -3]
// CHECK-NEXT: [8, 10]
// CHECK-NEXT: [1, 0]

// The sum with its bias, halved and rounded down: 6 >> 1, 1 >> 1, 8 >> 1; -3 >> 1 = -2.
// CHECK-LABEL: half: int32
// CHECK-NEXT: [3, 0]
// CHECK-NEXT: [0, -2]
// CHECK-NEXT: [4, 5]
// CHECK-NEXT: [0, 0]

ntensor.network @late("x" %x: tensor<2xi1>) -> ("y": tensor<2xi8>, "half": tensor<2xi8>) attributes {tick_ns = 1000000} {
  %y = ntensor.sparse_linear "fc" %x {
    weight = #nopt.array<[5, 7, -3, 10] : tensor<4xi8>>,
    source = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>,
    target = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>,
    delay = #nopt.array<[0, 2, 1, 1] : tensor<4xi8>>,
    bias = #nopt.array<[1, 0] : tensor<2xi8>>
  } : tensor<2xi1> -> tensor<2xi8>
  %half = ntensor.sparse_linear "half_fc" %x {
    weight = #nopt.array<[5, 7, -3, 10] : tensor<4xi8>>,
    source = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>,
    target = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>,
    delay = #nopt.array<[0, 2, 1, 1] : tensor<4xi8>>,
    bias = #nopt.array<[1, 0] : tensor<2xi8>>,
    exponent = #nopt.array<-1 : tensor<i8>>
  } : tensor<2xi1> -> tensor<2xi8>
  ntensor.output %y, %half : tensor<2xi8>, tensor<2xi8>
}
