// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s

// A grid has an invocation for each element; a group has stages with barriers between them, and computes several ticks.
// CHECK:      kernels.kernel "grid" %x, %v {workgroup = 4 : i64} : memref<2xf32>, memref<2xf32> {
// CHECK-NEXT:   kernels.stage 2 {
// CHECK-NEXT:   ^bb0(%e: index):
// CHECK:      kernels.kernel "group" %v {workgroup = 4 : i64, form = #kernels<form group>, ticks = 16 : i64} : memref<2xf32> {
// CHECK-NEXT:   kernels.stage 2 {
// CHECK:        kernels.stage 1 {
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<2xf32>
  %v = kernels.buffer "v" #kernels<kind state> : memref<2xf32>
  kernels.kernel "grid" %x, %v {workgroup = 4 : i64} : memref<2xf32>, memref<2xf32> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %a = kernels.load %x[%e] : memref<2xf32> -> f32
      kernels.store %a, %v[%e] : f32, memref<2xf32>
    }
  }
  kernels.kernel "group" %v {workgroup = 4 : i64, form = #kernels<form group>, ticks = 16 : i64} : memref<2xf32> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %a = kernels.load %v[%e] : memref<2xf32> -> f32
      kernels.store %a, %v[%e] : f32, memref<2xf32>
    }
    kernels.stage 1 {
    ^bb0(%e : index):
      %a = kernels.load %v[%e] : memref<2xf32> -> f32
      kernels.store %a, %v[%e] : f32, memref<2xf32>
    }
  }
}
