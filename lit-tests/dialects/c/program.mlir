// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// A program is its memory, then one tick. Its prefix starts every name in C, and its preferences are for the emitter.
// CHECK-LABEL: c.program @net attributes {prefix = "net", tick_ns = 1000 : i64, preferences = {unroll = 4 : i64}} {
// CHECK-NEXT:    %x = c.buffer "input" #c<kind input> {node = "in put"} : memref<3xf32>
// CHECK-NEXT:    %y = c.buffer "output" #c<kind output> {node = "output"} : memref<3xf32>
// CHECK-NEXT:    c.tick {
// CHECK-NEXT:      c.loop "copy"(%x) -> (%y) : (memref<3xf32>) -> (memref<3xf32>) {
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64, preferences = {unroll = 4 : i64}} {
  %x = c.buffer "input" #c<kind input> {node = "in put"} : memref<3xf32>
  %y = c.buffer "output" #c<kind output> {node = "output"} : memref<3xf32>
  c.tick {
    c.loop "copy"(%x) -> (%y) : (memref<3xf32>) -> (memref<3xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}
