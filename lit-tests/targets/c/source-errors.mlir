// RUN: not nopt %s -t c --split-input-file 2>&1 | filecheck %s

// A module without a program cannot be written.
// CHECK:      error[CSR001]: the module contains no program
// CHECK:        expected: one c.program or ntensor.network
// CHECK-NEXT:   found: an empty module
// CHECK-NEXT:   help: write the network to compile to a separate file
builtin.module {
}

// -----

// An op of the tick, and one of a body, without C code are refused.
// CHECK:      error[CSR006]: math.sin cannot be compiled to C
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<3xf32>
  %y = c.buffer "y" #c<kind output> : memref<3xf32>
  c.tick {
    c.loop "sine"(%x) -> (%y) : (memref<3xf32>) -> (memref<3xf32>) {
    ^bb0(%a: f32):
      %b = math.sin %a : f32
      c.yield %b : f32
    }
  }
}
