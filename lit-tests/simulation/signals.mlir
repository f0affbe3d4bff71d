// RUN: python %S/inputs/events.py %t.npz '{"tick": [2, 0, 2], "index": [1, 0, 1], "shape": [2], "ticks": 3}'
// RUN: nopt run %s --input %t.npz -o %t.out.npz
// RUN: python %S/../targets/reference/inputs/show.py %t.out.npz | filecheck %s

// Events are accepted in any order; events at the same tick and index are added.
// CHECK: y: float32
// CHECK-NEXT: [1.0, 0.0]
// CHECK-NEXT: [0.0, 0.0]
// CHECK-NEXT: [0.0, 2.0]

ntensor.network @wire("x" %x: tensor<2xf32>) -> ("y": tensor<2xf32>) attributes {tick_ns = 1000000} {
  ntensor.output %x : tensor<2xf32>
}
