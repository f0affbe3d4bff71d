// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A program without a tick is refused.
// CHECK:      error[CPR001]: a program does not end in its only tick
// CHECK:        expected: one c.tick, last
// CHECK-NEXT:   found: 0
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<3xf32>
}

// -----

// A prefix that is a keyword of C is refused.
// CHECK:      error[CPR002]: the prefix is not a C identifier
// CHECK:        found: double
// CHECK-NEXT:   help: correct the prefix
c.program @net attributes {prefix = "double", tick_ns = 1000 : i64} {
  c.tick {
  }
}

// -----

// Two buffers with the same name are refused.
// CHECK:      error[CPR002]: two buffers have the same name
// CHECK:        found: x
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<3xf32>
  %y = c.buffer "x" #c<kind output> : memref<3xf32>
  c.tick {
  }
}
