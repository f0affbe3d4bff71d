// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// The body has an argument too few.
// CHECK:      error[CSR013]: the body of a loop does not match its buffers
// CHECK:        expected: 2 arguments and 1 values
// CHECK-NEXT:   found: 1 arguments and 1 values
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind scratch> : memref<3xf32>
  %y = c.buffer "y" #c<kind scratch> : memref<3xf32>
  %z = c.buffer "z" #c<kind scratch> : memref<4xf32>
  %i = c.buffer "i" #c<kind scratch> : memref<3xsi8>
  c.tick {
    c.loop "l"(%x, %y) -> (%y) : (memref<3xf32>, memref<3xf32>) -> (memref<3xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}

// -----

// A real is written to an integer buffer.
// CHECK:      error[CSR013]: the element type of a buffer does not match the value
// CHECK:        expected: f32
// CHECK-NEXT:   found: memref<3xsi8>
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind scratch> : memref<3xf32>
  %y = c.buffer "y" #c<kind scratch> : memref<3xf32>
  %z = c.buffer "z" #c<kind scratch> : memref<4xf32>
  %i = c.buffer "i" #c<kind scratch> : memref<3xsi8>
  c.tick {
    c.loop "l"(%x) -> (%i) : (memref<3xf32>) -> (memref<3xsi8>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}

// -----

// The buffers have three and four elements.
// CHECK:      error[CSR013]: a loop writes buffers of different lengths
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind scratch> : memref<3xf32>
  %y = c.buffer "y" #c<kind scratch> : memref<3xf32>
  %z = c.buffer "z" #c<kind scratch> : memref<4xf32>
  %i = c.buffer "i" #c<kind scratch> : memref<3xsi8>
  c.tick {
    c.loop "l"(%x) -> (%y, %z) : (memref<3xf32>) -> (memref<3xf32>, memref<4xf32>) {
    ^bb0(%a: f32):
      c.yield %a, %a : f32, f32
    }
  }
}

// -----

// The buffer has neither the length of the loop nor a shape that broadcasts.
// CHECK:      error[CSR013]: a loop reads a buffer of another length
// CHECK:        expected: 4
// CHECK-NEXT:   found: (3,)
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind scratch> : memref<3xf32>
  %y = c.buffer "y" #c<kind scratch> : memref<3xf32>
  %z = c.buffer "z" #c<kind scratch> : memref<4xf32>
  %i = c.buffer "i" #c<kind scratch> : memref<3xsi8>
  c.tick {
    c.loop "l"(%x) -> (%z) : (memref<3xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}

// -----

// The loop clears its second buffer but has only one.
// CHECK:      error[CSR013]: a loop clears a buffer that it does not read
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind scratch> : memref<3xf32>
  %y = c.buffer "y" #c<kind scratch> : memref<3xf32>
  %z = c.buffer "z" #c<kind scratch> : memref<4xf32>
  %i = c.buffer "i" #c<kind scratch> : memref<3xsi8>
  c.tick {
    c.loop "l"(%x) -> (%y) {clears = array<i64: 1>} : (memref<3xf32>) -> (memref<3xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}

// -----

// The body has no terminator.
// CHECK:      error[CSR013]: a loop has no terminator
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind scratch> : memref<3xf32>
  %y = c.buffer "y" #c<kind scratch> : memref<3xf32>
  %z = c.buffer "z" #c<kind scratch> : memref<4xf32>
  %i = c.buffer "i" #c<kind scratch> : memref<3xsi8>
  c.tick {
    "c.loop"(%x, %y) <{label = "l", operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
    }) : (memref<3xf32>, memref<3xf32>) -> ()
  }
}

// -----

// Memory of 16 bits holds a real only if it was rounded to the same format.
// CHECK:      error[CSR013]: a value would be rounded by its memory
// CHECK:        expected: ntensor.round_real bf16
// CHECK-NEXT:   found: f32
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %v = c.buffer "v" #c<kind state> : memref<3xbf16>
  c.tick {
    c.loop "l"(%v) -> (%v) : (memref<3xbf16>) -> (memref<3xbf16>) {
    ^bb0(%a: f32):
      %b = ntensor.round_real f16 %a : f32
      c.yield %b : f32
    }
  }
}
