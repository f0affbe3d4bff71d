// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// Each element is read from its own row of the ring, the history of spikes of up to 16 ticks is kept as bits, and the cursor advances.
// CHECK-LABEL: c.program @delays
// CHECK:         c.gather %ring at %now, %ticks -> %y : memref<4x3xf32>, memref<1xsi32>, memref<3xui8> -> memref<3xf32>
// CHECK-NEXT:    c.past %x -> %bits : memref<3xui8> -> memref<3xui16>
// CHECK-NEXT:    c.advance %now {rows = 4 : i64} : memref<1xsi32>
c.program @delays attributes {prefix = "net", tick_ns = 1000 : i64} {
  %ring = c.buffer "ring" #c<kind state> : memref<4x3xf32>
  %now = c.buffer "now" #c<kind state> : memref<1xsi32>
  %ticks = c.buffer "ticks" #c<kind constant> {values = #nopt.array<[1, 2, 3] : tensor<3xui8>>} : memref<3xui8>
  %y = c.buffer "y" #c<kind output> : memref<3xf32>
  %x = c.buffer "x" #c<kind input> {spikes} : memref<3xui8>
  %bits = c.buffer "bits" #c<kind state> : memref<3xui16>
  c.tick {
    c.gather %ring at %now, %ticks -> %y : memref<4x3xf32>, memref<1xsi32>, memref<3xui8> -> memref<3xf32>
    c.past %x -> %bits : memref<3xui8> -> memref<3xui16>
    c.advance %now {rows = 4 : i64} : memref<1xsi32>
  }
}
