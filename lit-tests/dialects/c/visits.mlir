// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s

// A visit of the synapses of each source with a spike: the member itself, its place in the group, the element that a table names, and a random number.
// CHECK:      c.visit "fc" if %on : memref<1xui8> on %x : memref<2xui8> by %start : memref<3xui8> clock %clock : memref<1xsi64> marks %mark : memref<4xui8> places %place : memref<4xui8>(%w, %y, %y) -> (%w)
// CHECK-SAME:   {groups = 2 : i64, reads = array<i64: -1, -3, 0>, writes = array<i64: -1>, seed = 7 : i64, draws = array<i64: 3>} : (memref<4xf32>, memref<2xf32>, memref<2xf32>) -> (memref<4xf32>) {
// CHECK:      c.visit "trace" on %ring : memref<3x2xui8> late %late : memref<2xui8> at %cursor : memref<1xsi32>(%y) -> (%y)
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %on = c.buffer "on" #c<kind state> : memref<1xui8>
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %ring = c.buffer "ring" #c<kind state> {spikes} : memref<3x2xui8>
  %cursor = c.buffer "cursor" #c<kind state> : memref<1xsi32>
  %clock = c.buffer "clock" #c<kind state> : memref<1xsi64>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 4] : tensor<3xui8>>} : memref<3xui8>
  %late = c.buffer "late" #c<kind constant> {values = #nopt.array<[1, 2] : tensor<2xui8>>} : memref<2xui8>
  %mark = c.buffer "mark" #c<kind constant> {values = #nopt.array<[0, 1, 2, 3] : tensor<4xui8>>} : memref<4xui8>
  %place = c.buffer "place" #c<kind constant> {values = #nopt.array<[1, 0, 0, 1] : tensor<4xui8>>} : memref<4xui8>
  %w = c.buffer "w" #c<kind state> : memref<4xf32>
  %y = c.buffer "y" #c<kind state> : memref<2xf32>
  c.tick {
    c.visit "fc" if %on : memref<1xui8> on %x : memref<2xui8> by %start : memref<3xui8> clock %clock : memref<1xsi64> marks %mark : memref<4xui8> places %place : memref<4xui8> (%w, %y, %y) -> (%w) {groups = 2 : i64, reads = array<i64: -1, -3, 0>, writes = array<i64: -1>, seed = 7 : i64, draws = array<i64: 3>} : (memref<4xf32>, memref<2xf32>, memref<2xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %r: f32):
      %d = arith.addf %a, %b : f32
      %e = arith.mulf %c, %r : f32
      %f = arith.addf %d, %e : f32
      c.yield %f : f32
    }
    c.visit "trace" on %ring : memref<3x2xui8> late %late : memref<2xui8> at %cursor : memref<1xsi32> (%y) -> (%y) {groups = 2 : i64, reads = array<i64: -1>, writes = array<i64: -1>} : (memref<2xf32>) -> (memref<2xf32>) {
    ^bb0(%a: f32):
      c.yield %a : f32
    }
  }
}
