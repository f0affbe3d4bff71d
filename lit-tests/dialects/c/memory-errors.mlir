// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A name with a dash is not a C identifier.
// CHECK:      error[CSR014]: the name of a buffer is not a C identifier
// CHECK:        found: a-b
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "a-b" #c<kind scratch> : memref<3xf32>
  c.tick {

  }
}

// -----

// The values have another shape than the buffer.
// CHECK:      error[CSR013]: the values of a buffer have another shape
// CHECK:        expected: (3,)
// CHECK-NEXT:   found: (2,)
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind state> {values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>} : memref<3xf32>
  c.tick {

  }
}

// -----

// A constant requires values.
// CHECK:      error[CSR013]: a constant has no values
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind constant> : memref<3xf32>
  c.tick {

  }
}

// -----

// Only constants can be stored several times.
// CHECK:      error[CSR013]: only constants have copies
// CHECK:        expected: 1 or more copies of a constant
// CHECK-NEXT:   found: 2 copies of state
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind state> {copies = 2 : i64} : memref<3xf32>
  c.tick {

  }
}

// -----

// The margin has an axis that the buffer does not have.
// CHECK:      error[CSR013]: the margin does not match the shape
// CHECK:        expected: (0, 2)
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind scratch> {margin = #nopt.array<[[1, 1]] : tensor<1x2xi64>>} : memref<3xf32>
  c.tick {

  }
}

// -----

// The row has another shape than those of its ring.
// CHECK:      error[CSR013]: a row has another shape
// CHECK:        expected: (3,)
// CHECK-NEXT:   found: (4,)
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind state> : memref<1x3xf32>
  %r = c.row %x of memref<1x3xf32> -> memref<4xf32>
  c.tick {

  }
}

// -----

// A ring of two rows requires a cursor.
// CHECK:      error[CSR013]: a ring of several rows has no cursor
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind state> : memref<2x3xf32>
  %r = c.row %x of memref<2x3xf32> -> memref<3xf32>
  c.tick {

  }
}

// -----

// A view must keep the number of elements.
// CHECK:      error[CSR013]: a view has another length
// CHECK:        expected: 6
// CHECK-NEXT:   found: 5
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind scratch> : memref<2x3xf32>
  %r = c.view %x : memref<2x3xf32> -> memref<5xf32>
  c.tick {

  }
}

// -----

// Packed memory is read-only.
// CHECK:      error[CSR013]: packed memory is not a constant in C order
// CHECK:        expected: constant, c
// CHECK-NEXT:   found: state, c
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %w = c.buffer "w" #c<kind state> {values = #nopt.array<0 : tensor<i8>>} : memref<4xsi4>
  c.tick {

  }
}

// -----

// Packed memory has no other layout.
// CHECK:      error[CSR013]: packed memory is not a constant in C order
// CHECK:        found: constant, channels_last
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<0 : tensor<i8>>, layout = #c<layout channels_last>} : memref<4x2xsi4>
  c.tick {

  }
}

// -----

// Four bits hold -8 to 7.
// CHECK:      error[CSR013]: an element does not fit into 4 bits
// CHECK:        expected: integers from -8 to 7
// CHECK-NEXT:   found: -9 to 8
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[8, -9] : tensor<2xi8>>} : memref<2xsi4>
  c.tick {

  }
}

// -----

// Reals have no 4 bits.
// CHECK:      error[CSR013]: an element does not fit into 4 bits
// CHECK:        found: 0.0 to 1.0
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[0.0, 1.0] : tensor<2xf32>>} : memref<2xsi4>
  c.tick {

  }
}
