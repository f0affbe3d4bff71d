// RUN: python %S/inputs/events.py %t.npz '{"tick": [2, 0, 2, 4], "index": [1, 0, 1, 0], "shape": [2], "ticks": 5}'
// RUN: nopt run %s --input %t.npz -o %t.out.npz | filecheck %s --check-prefix=SIZE
// RUN: python %S/../targets/reference/inputs/show.py %t.out.npz | filecheck %s
// RUN: nopt run %s --input %t.npz --ticks 2 -o %t.short.npz | filecheck %s --check-prefix=SHORT
// RUN: nopt run %s --input %t.npz --max-memory 1MiB -o %t.limited.npz | filecheck %s --check-prefix=SIZE
// RUN: not nopt run %s --input %t.npz --max-memory 1B -o %t.limited.npz 2>&1 | filecheck %s --check-prefix=MEMORY

// A frame adds up 2 ticks. Zeros follow the last of the 5 ticks, so there are 3 frames.
// SIZE: output 3x2
// CHECK: output: int32
// CHECK-NEXT: [1, 0]
// CHECK-NEXT: [0, 2]
// CHECK-NEXT: [1, 0]

// A limit of the memory counts the data, whose frames are added while they are read.
// MEMORY: error[SIM016]

// Ticks are those of the input: 2 of them are one frame.
// SHORT: output 1x2

ntensor.network @wire("x" %x: tensor<2x!ntensor.count<2>>) -> ("output": tensor<2x!ntensor.count<2>>) attributes {tick_ns = 2000000, ntensor.frame_ticks = 2} {
  ntensor.output %x : tensor<2x!ntensor.count<2>>
}
