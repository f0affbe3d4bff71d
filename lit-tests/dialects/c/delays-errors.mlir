// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// The rows of the ring have three elements, the result has four.
// CHECK:      error[CSR013]: a gather does not match its ring
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %ring = c.buffer "ring" #c<kind state> : memref<4x3xf32>
  %now = c.buffer "now" #c<kind state> : memref<1xsi32>
  %ticks = c.buffer "ticks" #c<kind constant> {values = #nopt.array<[1, 2, 3] : tensor<3xui8>>} : memref<3xui8>
  %y = c.buffer "y" #c<kind output> : memref<4xf32>
  c.tick {
    c.gather %ring at %now, %ticks -> %y : memref<4x3xf32>, memref<1xsi32>, memref<3xui8> -> memref<4xf32>
  }
}

// -----

// The history has four neurons, the operand has three.
// CHECK:      error[CSR013]: a past does not match its neurons
// CHECK:        expected: 3
// CHECK-NEXT:   found: 4
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<3xui8>
  %bits = c.buffer "bits" #c<kind state> : memref<4xui16>
  c.tick {
    c.past %x -> %bits : memref<3xui8> -> memref<4xui16>
  }
}
