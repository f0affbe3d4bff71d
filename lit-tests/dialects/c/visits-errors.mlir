// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// Two groups have three starts, not four.
// CHECK:      error[CSR013]: a table of groups has another length
// CHECK:        expected: 3
// CHECK-NEXT:   found: 4
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" on %x : memref<2xui8> by %place : memref<4xui8> (%w) -> (%w) {groups = 2 : i64, reads = array<i64: -1>, writes = array<i64: -1>} : (memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}

// -----

// Both tables of members have one entry for each.
// CHECK:      error[CSR013]: a table of members has another length
// CHECK:        expected: 4
// CHECK-NEXT:   found: 2
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" on %x : memref<2xui8> by %start : memref<3xui8> list %place : memref<4xui8> places %few : memref<2xui8> (%w) -> (%w) {groups = 2 : i64, reads = array<i64: 0>, writes = array<i64: -1>} : (memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}

// -----

// A visit reads one table, and its index is 0.
// CHECK:      error[CSR013]: a visit accesses an unknown element
// CHECK:        expected: -5 to 0
// CHECK-NEXT:   found: 1
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" on %x : memref<2xui8> by %start : memref<3xui8> places %place : memref<4xui8> (%w) -> (%w) {groups = 2 : i64, reads = array<i64: 1>, writes = array<i64: -1>} : (memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}

// -----

// The only element is one of four.
// CHECK:      error[CSR013]: a visit reads the only element of several
// CHECK:        expected: 1 element
// CHECK-NEXT:   found: 4
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" on %x : memref<2xui8> by %start : memref<3xui8> (%w) -> (%w) {groups = 2 : i64, reads = array<i64: -5>, writes = array<i64: -1>} : (memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}

// -----

// Late events are in a ring.
// CHECK:      error[CSR013]: late events have no ring
// CHECK:        expected: events at a cursor
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" on %x : memref<2xui8> late %few : memref<2xui8> (%w) -> (%w) {groups = 2 : i64, reads = array<i64: -1>, writes = array<i64: -1>} : (memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}

// -----

// A row of the event needs rows.
// CHECK:      error[CSR013]: a visit accesses a row of memory without rows
// CHECK:        expected: a ring
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" on %x : memref<2xui8> by %start : memref<3xui8> (%w) -> (%w) {groups = 2 : i64, reads = array<i64: -4>, writes = array<i64: -1>} : (memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}

// -----

// A draw needs a clock.
// CHECK:      error[CSR013]: random numbers have no clock and marks
// CHECK:        expected: draws, a clock and marks
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" on %x : memref<2xui8> by %start : memref<3xui8> (%w) -> (%w) {groups = 2 : i64, reads = array<i64: -1>, writes = array<i64: -1>, seed = 1 : i64, draws = array<i64: 0>} : (memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32, %r: f32):
      c.yield %r : f32
    }
  }
}

// -----

// The body has an argument for each buffer.
// CHECK:      error[CSR013]: the body of a visit does not match its buffers
// CHECK:        found: (0, 1, 1, 1)
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" on %x : memref<2xui8> by %start : memref<3xui8> (%w) -> (%w) {groups = 2 : i64, reads = array<i64: -1>, writes = array<i64: -1>} : (memref<4xf32>) -> (memref<4xf32>) {
      %a = arith.constant 1.0 : f32
      c.yield %a : f32
    }
  }
}

// -----

// Memory of reals holds no integers.
// CHECK:      error[CSR013]: the element type of a buffer does not match the value
// CHECK:        expected: !fixed.int<0, 1>
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" on %x : memref<2xui8> by %start : memref<3xui8> (%w) -> (%w) {groups = 2 : i64, reads = array<i64: -1>, writes = array<i64: -1>} : (memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: !fixed.int<0, 1>):
      c.yield %a : !fixed.int<0, 1>
    }
  }
}

// -----

// A visit ends in its values.
// CHECK:      error[CSR013]: a visit has no terminator
// CHECK:        expected: c.yield
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" on %x : memref<2xui8> by %start : memref<3xui8> (%w) -> (%w) {groups = 2 : i64, reads = array<i64: -1>, writes = array<i64: -1>} : (memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
    }
  }
}
