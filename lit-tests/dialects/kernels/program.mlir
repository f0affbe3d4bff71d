// RUN: nopt %s --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file | nopt - --split-input-file | filecheck %s

// workgroup_size at its limit.
// CHECK: limits = {workgroup_size = 64 : i64}
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {workgroup_size = 64 : i64}} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<130xf32>
  %y = kernels.buffer "y" #kernels<kind output> : memref<130xf32>
  kernels.kernel "step" %x, %y {workgroup = 64 : i64} : memref<130xf32>, memref<130xf32> {
    kernels.stage 130 {
    ^bb0(%e : index):
      %a = kernels.load %x[%e] : memref<130xf32> -> f32
      kernels.store %a, %y[%e] : f32, memref<130xf32>
    }
  }
}

// -----

// workgroup_invocations at its limit.
// CHECK: limits = {workgroup_invocations = 64 : i64}
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {workgroup_invocations = 64 : i64}} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<130xf32>
  %y = kernels.buffer "y" #kernels<kind output> : memref<130xf32>
  kernels.kernel "step" %x, %y {workgroup = 64 : i64} : memref<130xf32>, memref<130xf32> {
    kernels.stage 130 {
    ^bb0(%e : index):
      %a = kernels.load %x[%e] : memref<130xf32> -> f32
      kernels.store %a, %y[%e] : f32, memref<130xf32>
    }
  }
}

// -----

// workgroup_count at its limit.
// CHECK: limits = {workgroup_count = 3 : i64}
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {workgroup_count = 3 : i64}} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<130xf32>
  %y = kernels.buffer "y" #kernels<kind output> : memref<130xf32>
  kernels.kernel "step" %x, %y {workgroup = 64 : i64} : memref<130xf32>, memref<130xf32> {
    kernels.stage 130 {
    ^bb0(%e : index):
      %a = kernels.load %x[%e] : memref<130xf32> -> f32
      kernels.store %a, %y[%e] : f32, memref<130xf32>
    }
  }
}

// -----

// bindings at its limit.
// CHECK: limits = {bindings = 2 : i64}
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {bindings = 2 : i64}} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<130xf32>
  %y = kernels.buffer "y" #kernels<kind output> : memref<130xf32>
  kernels.kernel "step" %x, %y {workgroup = 64 : i64} : memref<130xf32>, memref<130xf32> {
    kernels.stage 130 {
    ^bb0(%e : index):
      %a = kernels.load %x[%e] : memref<130xf32> -> f32
      kernels.store %a, %y[%e] : f32, memref<130xf32>
    }
  }
}

// -----

// buffer_range at its limit.
// CHECK: limits = {buffer_range = 520 : i64}
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {buffer_range = 520 : i64}} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<130xf32>
  %y = kernels.buffer "y" #kernels<kind output> : memref<130xf32>
  kernels.kernel "step" %x, %y {workgroup = 64 : i64} : memref<130xf32>, memref<130xf32> {
    kernels.stage 130 {
    ^bb0(%e : index):
      %a = kernels.load %x[%e] : memref<130xf32> -> f32
      kernels.store %a, %y[%e] : f32, memref<130xf32>
    }
  }
}

// -----

// parameter_bytes at its limit.
// CHECK: limits = {parameter_bytes = 32 : i64}
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {parameter_bytes = 32 : i64}} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<130xf32>
  %y = kernels.buffer "y" #kernels<kind output> : memref<130xf32>
  kernels.kernel "step" %x, %y {workgroup = 64 : i64} : memref<130xf32>, memref<130xf32> {
    kernels.stage 130 {
    ^bb0(%e : index):
      %a = kernels.load %x[%e] : memref<130xf32> -> f32
      kernels.store %a, %y[%e] : f32, memref<130xf32>
    }
  }
}

// -----

// A program with the features that it needs, and without a list of features.
// CHECK: features = ["int8"]
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, features = ["int8"], interleaved} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<3xui8>
}

// -----

// shared_bytes at its limit. Memory of a workgroup needs no binding, and is not limited by the size of a buffer.
// CHECK: limits = {shared_bytes = 520 : i64, bindings = 2 : i64}
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {shared_bytes = 520 : i64, bindings = 2 : i64}} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<130xf32>
  %s = kernels.buffer "s" #kernels<kind shared> : memref<130xf32>
  %y = kernels.buffer "y" #kernels<kind output> : memref<130xf32>
  kernels.kernel "step" %x, %s, %y {workgroup = 64 : i64, form = #kernels<form group>, ticks = 8 : i64} : memref<130xf32>, memref<130xf32>, memref<130xf32> {
    kernels.stage 130 {
    ^bb0(%e : index):
      %a = kernels.load %x[%e] : memref<130xf32> -> f32
      kernels.store %a, %s[%e] : f32, memref<130xf32>
    }
    kernels.stage 130 {
    ^bb0(%e : index):
      %a = kernels.load %s[%e] : memref<130xf32> -> f32
      kernels.store %a, %y[%e] : f32, memref<130xf32>
    }
  }
}
