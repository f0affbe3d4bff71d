// RUN: python %S/inputs/events.py %t.npz '{"tick": [2, 0, 2, 4], "index": [1, 0, 1, 0], "shape": [2], "ticks": 5}'
// RUN: nopt run %s --input %t.npz -o %t.out.npz | filecheck %s --check-prefix=SIZE
// RUN: python %S/../targets/reference/inputs/show.py %t.out.npz | filecheck %s

// A frame holds 2 ticks, one after the other. Zeros follow the last of the 5 ticks, so there are 3 frames.
// SIZE: output 3x2x2
// CHECK: output: int32
// CHECK-NEXT: {{\[\[}}1, 0], [0, 0]]
// CHECK-NEXT: {{\[\[}}0, 2], [0, 0]]
// CHECK-NEXT: {{\[\[}}1, 0], [0, 0]]

ntensor.network @wire("x" %x: tensor<2x2x!ntensor.count<2>>) -> ("output": tensor<2x2x!ntensor.count<2>>) attributes {tick_ns = 2000000, ntensor.frame_ticks = 2, ntensor.stacked_ticks} {
  ntensor.output %x : tensor<2x2x!ntensor.count<2>>
}
