// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// Two threads compute halves of the sums and of the past; the first thread advances the cursor when both have ended.
// CHECK-LABEL: c.program @threads
// CHECK:         c.clear %y {split} : memref<3xf32>
// CHECK-NEXT:    c.past %x -> %bits {split} : memref<3xui8> -> memref<3xui16>
// CHECK-NEXT:    c.barrier
// CHECK-NEXT:    c.advance %now {rows = 4 : i64} : memref<1xsi32>
// CHECK-NEXT:    c.barrier
c.program @threads attributes {prefix = "net", tick_ns = 1000 : i64} {
  %now = c.buffer "now" #c<kind state> : memref<1xsi32>
  %y = c.buffer "y" #c<kind output> : memref<3xf32>
  %x = c.buffer "x" #c<kind input> {spikes} : memref<3xui8>
  %bits = c.buffer "bits" #c<kind state> : memref<3xui16>
  c.tick {
    c.clear %y {split} : memref<3xf32>
    c.past %x -> %bits {split} : memref<3xui8> -> memref<3xui16>
    c.barrier
    c.advance %now {rows = 4 : i64} : memref<1xsi32>
    c.barrier
  }
}
