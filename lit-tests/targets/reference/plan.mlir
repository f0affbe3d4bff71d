// RUN: python %S/inputs/save.py %t.npy '[[1, 1], [0, 0], [0, 0], [0, 0]]'
// RUN: nopt run %s --input %t.npy --record back,late -o %t.npz
// RUN: python %S/inputs/show.py %t.npz | filecheck %s

// A loop runs tick by tick, for every order of its text: y(t) = x(t) + 0.5 y(t - 1), for each of two neurons.
// CHECK-LABEL: y: float64
// CHECK-NEXT: [1.0, 1.0]
// CHECK-NEXT: [0.5, 0.5]
// CHECK-NEXT: [0.25, 0.25]
// CHECK-NEXT: [0.125, 0.125]

// A node inside the loop can be recorded.
// CHECK-LABEL: back: float64
// CHECK-NEXT: [0.0, 0.0]
// CHECK-NEXT: [1.0, 1.0]

// The node after the loop has a delay for each neuron, 0 and 2 ticks.
// CHECK-LABEL: late: float64
// CHECK-NEXT: [1.0, 0.0]
// CHECK-NEXT: [0.5, 0.0]
// CHECK-NEXT: [0.25, 1.0]
// CHECK-NEXT: [0.125, 0.5]

ntensor.network @loop("x" %x: tensor<2xf64>) -> ("y": tensor<2xf64>) attributes {tick_ns = 1000000} {
  %late = ntensor.delay "late" %y {ticks = #nopt.array<[0, 2] : tensor<2xi64>>} : tensor<2xf64>
  %y = ntensor.sum %x, %half : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %half = ntensor.scale "half" %back {scale = #nopt.array<0.5 : tensor<f64>>} : tensor<2xf64> -> tensor<2xf64>
  %back = ntensor.delay "back" %y {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf64>
  ntensor.output %y : tensor<2xf64>
}
