// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// A loop reads an element before it writes it, and may set its input to zero. A single number and a channel are broadcast.
// CHECK-LABEL: c.program @loops
// CHECK:         c.clear %s : memref<2x3xf32>
// CHECK-NEXT:    c.loop "lif"(%s, %v, %b, %n) -> (%v, %z) {clears = array<i64: 0>} : (memref<2x3xf32>, memref<2x3xf32>, memref<2x1xf32>, memref<1xsi8>) -> (memref<2x3xf32>, memref<2x3xui8>) {
// CHECK-NEXT:    ^bb0({{.*}}: f32, {{.*}}: f32, {{.*}}: f32, {{.*}}: !fixed.int<-3, 3>):
// CHECK:           c.yield {{.*}} : f32, i1
c.program @loops attributes {prefix = "net", tick_ns = 1000 : i64} {
  %s = c.buffer "s" #c<kind scratch> : memref<2x3xf32>
  %v = c.buffer "v" #c<kind state> : memref<2x3xf32>
  %b = c.buffer "b" #c<kind constant> {values = #nopt.array<[[0.5], [1.5]] : tensor<2x1xf32>>} : memref<2x1xf32>
  %n = c.buffer "n" #c<kind constant> {values = #nopt.array<[2] : tensor<1xi8>>} : memref<1xsi8>
  %z = c.buffer "z" #c<kind output> : memref<2x3xui8>
  c.tick {
    c.clear %s : memref<2x3xf32>
    c.loop "lif"(%s, %v, %b, %n) -> (%v, %z) {clears = array<i64: 0>} : (memref<2x3xf32>, memref<2x3xf32>, memref<2x1xf32>, memref<1xsi8>) -> (memref<2x3xf32>, memref<2x3xui8>) {
    ^bb0(%x: f32, %old: f32, %bias: f32, %k: !fixed.int<-3, 3>):
      %a = arith.addf %x, %bias : f32
      %new = arith.addf %old, %a : f32
      %spike = arith.cmpf ogt, %new, %a : f32
      c.yield %new, %spike : f32, i1
    }
  }
}
