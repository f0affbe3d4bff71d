// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A kernel does not write an input.
// CHECK:      error[KRN001]: a kernel writes memory that it only reads
// CHECK:        found: input
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<2xf32>
  kernels.kernel "step" %x {workgroup = 2 : i64} : memref<2xf32> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %one = arith.constant 1.0 : f32
      kernels.store %one, %x[%e] : f32, memref<2xf32>
    }
  }
}

// -----

// A real in memory does not become an integer.
// CHECK:      error[KRN001]: a load converts to another kind of number
// CHECK:        found: !fixed.int<0, 1>
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = kernels.buffer "x" #kernels<kind input> : memref<2xf32>
  kernels.kernel "step" %x {workgroup = 2 : i64} : memref<2xf32> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %v = kernels.load %x[%e] : memref<2xf32> -> !fixed.int<0, 1>
    }
  }
}

// -----

// A word of 32 bits does not hold every integer of 33 bits.
// CHECK:      error[KRN001]: a word does not hold every integer of an interval
// CHECK:        expected: within -2147483648..2147483647
// CHECK-NEXT:   found: !fixed.int<0, 4294967296>
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %y = kernels.buffer "y" #kernels<kind output> : memref<2xi32>
  kernels.kernel "step" %y {workgroup = 2 : i64} : memref<2xi32> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %word = arith.constant 1 : i32
      %x = kernels.integer %word : !fixed.int<0, 4294967296>
      kernels.store %x, %y[%e] : !fixed.int<0, 4294967296>, memref<2xi32>
    }
  }
}
