// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// workgroup_size one below what the program needs.
// CHECK:      error[KRN002]: kernel step exceeds workgroup_size of the device
// CHECK:        expected: at most 63
// CHECK-NEXT:   found: 64 invocations
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {workgroup_size = 63 : i64}} {
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

// workgroup_invocations one below what the program needs.
// CHECK:      error[KRN002]: kernel step exceeds workgroup_invocations of the device
// CHECK:        expected: at most 63
// CHECK-NEXT:   found: 64 invocations
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {workgroup_invocations = 63 : i64}} {
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

// workgroup_count one below what the program needs.
// CHECK:      error[KRN002]: kernel step exceeds workgroup_count of the device
// CHECK:        expected: at most 2
// CHECK-NEXT:   found: 3 workgroups
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {workgroup_count = 2 : i64}} {
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

// bindings one below what the program needs.
// CHECK:      error[KRN002]: kernel step exceeds bindings of the device
// CHECK:        expected: at most 1
// CHECK-NEXT:   found: 2 buffers
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {bindings = 1 : i64}} {
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

// buffer_range one below what the program needs.
// CHECK:      error[KRN002]: one sample of buffer x_input exceeds buffer_range of the device
// CHECK:        expected: at most 519
// CHECK-NEXT:   found: 520 byte
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {buffer_range = 519 : i64}} {
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

// parameter_bytes one below what the program needs.
// CHECK:      error[KRN002]: every dispatch exceeds parameter_bytes of the device
// CHECK:        expected: at most 31
// CHECK-NEXT:   found: 32 byte
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {parameter_bytes = 31 : i64}} {
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

// Integers of 8 bits in memory need a feature.
// CHECK:      error[KRN003]: the device has no int8: integers of 8 bits in memory
// CHECK:        expected: a program without integers of 8 bits in memory: the device has fp64
// CHECK-NEXT:   found: x of ui8
// CHECK-NEXT:   help: storage=wide
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, features = ["fp64"]} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<3xui8>
}

// -----

// So do reals of 64 bits, and integers beyond 32 bits.
// CHECK:      error[KRN003]: the device has no fp64: reals of 64 bits
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, features = []} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<3xf64>
}

// -----

// Two buffers with the same name are refused.
// CHECK:      error[KRN001]: two ops have the same name, or a name is not an identifier
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<3xf32>
  %y = kernels.buffer "x" #kernels<kind output> : memref<3xf32>
}

// -----

// shared_bytes one below what the program needs; 130 elements of 4 bytes are 520 bytes.
// CHECK:      error[KRN002]: kernel step exceeds shared_bytes of the device
// CHECK:        expected: at most 519
// CHECK-NEXT:   found: 520 byte
// CHECK-NEXT:   help: shared=none
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {shared_bytes = 519 : i64}} {
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

// -----

// Two kernels do not share memory of a workgroup. It is not a buffer of the device, so it needs no binding.
// CHECK:      error[KRN001]: two kernels share memory of a workgroup
// CHECK:        found: s in step and again
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, limits = {bindings = 2 : i64}} {
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
  kernels.kernel "again" %x, %s {workgroup = 64 : i64, form = #kernels<form group>, ticks = 8 : i64} : memref<130xf32>, memref<130xf32> {
    kernels.stage 130 {
    ^bb0(%e : index):
      %a = kernels.load %x[%e] : memref<130xf32> -> f32
      kernels.store %a, %s[%e] : f32, memref<130xf32>
    }
  }
}
