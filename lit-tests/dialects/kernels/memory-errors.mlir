// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A constant needs values.
// CHECK:      error[KRN001]: a constant has no values
// CHECK:        help: build the program with convert-c-to-kernels
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %w = kernels.buffer "w" #kernels<kind constant> : memref<3xf32>
}

// -----

// Values have the shape of the memory, or are one for all.
// CHECK:      error[KRN001]: the values of a buffer have another shape
// CHECK:        expected: (3,)
// CHECK-NEXT:   found: (2,)
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %v = kernels.buffer "v" #kernels<kind state> {values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>} : memref<3xf32>
}

// -----

// Only constants are packed, because invocations would write parts of one word.
// CHECK:      error[KRN001]: a buffer cannot be packed
// CHECK:        found: scratch of ui8
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %s = kernels.buffer "s" #kernels<kind scratch> {storage = #kernels<storage packed>} : memref<3xui8>
}

// -----

// Only integers of 64 bits are split into words.
// CHECK:      error[KRN001]: a buffer cannot be split
// CHECK:        expected: {{.*}}split rows, of 64 bits
// CHECK-NEXT:   found: state of i32
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %s = kernels.buffer "s" #kernels<kind state> {storage = #kernels<storage split>} : memref<3xi32>
}
