// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// The bindings are the buffers of the bodies.
// CHECK:      error[KRN001]: the bindings of a kernel are not its buffers
// CHECK:        expected: 0 buffers, those of its bodies
// CHECK-NEXT:   found: 1
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<2xf32>
  kernels.kernel "grid" %x {workgroup = 4 : i64} : memref<2xf32> {
    kernels.stage 2 {
    ^bb0(%e : index):
    }
  }
}

// -----

// A grid has no barrier between stages.
// CHECK:      error[KRN001]: a grid has no barrier
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  kernels.kernel "grid" {workgroup = 4 : i64} : {
    kernels.stage 2 {
    ^bb0(%e : index):
    }
    kernels.stage 2 {
    ^bb0(%e : index):
    }
  }
}

// -----

// A grid has no memory of a workgroup, because its workgroups end with a tick.
// CHECK:      error[KRN001]: a grid shares no memory
// CHECK:        found: s in step
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %s = kernels.buffer "s" #kernels<kind shared> : memref<3xf32>
  kernels.kernel "step" %s {workgroup = 64 : i64} : memref<3xf32> {
    kernels.stage 3 {
    ^bb0(%e : index):
      %a = kernels.load %s[%e] : memref<3xf32> -> f32
      kernels.store %a, %s[%e] : f32, memref<3xf32>
    }
  }
}

// -----

// Copies into shared memory come first.
// CHECK:      error[KRN001]: the phases of a kernel are not in order
// CHECK:        expected: enter, tick, leave
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %v = kernels.buffer "v" #kernels<kind state> : memref<3xf32>
  %s = kernels.buffer "s" #kernels<kind shared> : memref<3xf32>
  kernels.kernel "step" %s, %v {workgroup = 64 : i64, form = #kernels<form group>, ticks = 8 : i64} : memref<3xf32>, memref<3xf32> {
    kernels.stage 3 {
    ^bb0(%e : index):
      %a = kernels.load %s[%e] : memref<3xf32> -> f32
      kernels.store %a, %s[%e] : f32, memref<3xf32>
    }
    kernels.stage 3 attributes {phase = #kernels<phase enter>} {
    ^bb0(%e : index):
      %a = kernels.load %v[%e] : memref<3xf32> -> f32
      kernels.store %a, %s[%e] : f32, memref<3xf32>
    }
  }
}
