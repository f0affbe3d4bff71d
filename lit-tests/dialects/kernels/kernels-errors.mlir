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
