// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A program without a tick is refused.
// CHECK:      error[CSR013]: a program does not end in its only tick
// CHECK:        expected: one c.tick, last
// CHECK-NEXT:   found: 0
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<3xf32>
}

// -----

// A prefix that is a keyword of C is refused.
// CHECK:      error[CSR014]: the prefix is not a C identifier
// CHECK:        found: double
// CHECK-NEXT:   help: correct the prefix
c.program @net attributes {prefix = "double", tick_ns = 1000 : i64} {
  c.tick {
  }
}

// -----

// Two buffers with the same name are refused.
// CHECK:      error[CSR014]: two buffers have the same name
// CHECK:        found: x
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<3xf32>
  %y = c.buffer "x" #c<kind output> : memref<3xf32>
  c.tick {
  }
}

// -----

// Only scatters can read packed memory.
// CHECK:      error[CSR013]: packed memory is not a table
// CHECK:        expected: the table of scatters
// CHECK-NEXT:   found: an operand of c.clear
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[1, 2] : tensor<2xi8>>} : memref<2xsi4>
  c.tick {
    c.clear %w : memref<2xsi4>
  }
}

// -----

// A scatter reads it as its table only, not as its zero points.
// CHECK:      error[CSR013]: packed memory is not a table
// CHECK:        found: an operand of c.rows
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<1xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[[[1, 2]]] : tensor<1x1x2xi8>>} : memref<1x1x2xsi8>
  %s = c.buffer "s" #c<kind constant> {values = #nopt.array<[0.5] : tensor<1xf32>>} : memref<1xf32>
  %z = c.buffer "z" #c<kind constant> {values = #nopt.array<[1, 2] : tensor<2xi8>>} : memref<2xsi4>
  %y = c.buffer "y" #c<kind scratch> : memref<2xf32>
  c.tick {
    c.clear %y : memref<2xf32>
    c.rows "fc" %x, %w into %y scale %s zero %z {finite, spikes} : memref<1xui8>, memref<1x1x2xsi8> into memref<2xf32> scale memref<1xf32> zero memref<2xsi4>
  }
}
