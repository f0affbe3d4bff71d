// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c,c-plan-memory' | filecheck %s
// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c,c-plan-memory{alignment=64}' | filecheck %s --check-prefix=ALIGNED

// The sums of the first layer are dead when the third layer adds: they share bytes, and so do equal weights. The second layer
// reads the first, so its sums are after them, at the next multiple of 16 bytes.
// CHECK:         c.buffer "a_sums" #c<kind scratch> {offset = 0 : i64} : memref<3xf32>
// CHECK-NEXT:    {{%[0-9]+}} = c.buffer "a_weight" #c<kind constant>
// CHECK-NEXT:    {{%[0-9]+}} = c.buffer "b_sums" #c<kind scratch> {offset = 4 : i64} : memref<3xf32>
// CHECK-NEXT:    {{%[0-9]+}} = c.buffer "c_sums" #c<kind scratch> {offset = 0 : i64} : memref<3xf32>
// CHECK-NEXT:    c.tick
// ALIGNED-DAG:   c.buffer "b_sums" #c<kind scratch> {offset = 16 : i64} : memref<3xf32>
ntensor.network @net("x" %x: tensor<3xf32>) -> ("y": tensor<3xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<constant(value = 0.5) : tensor<3x3xf32>>} : tensor<3xf32> -> tensor<3xf32>
  %b = ntensor.linear "b" %a {weight = #nopt.array<constant(value = 0.5) : tensor<3x3xf32>>} : tensor<3xf32> -> tensor<3xf32>
  %c = ntensor.linear "c" %b {weight = #nopt.array<constant(value = 0.5) : tensor<3x3xf32>>} : tensor<3xf32> -> tensor<3xf32>
  ntensor.output %c : tensor<3xf32>
}

// -----

// Constants of 4 channels are stored 8 times, so that one run covers 8 positions in the order of channels_last: 32 elements. Those of 32 channels are as
// long as such a run.
// CHECK-LABEL: c.program @few
// CHECK:         c.buffer "th" #c<kind constant> {values = {{.*}}, copies = 8 : i64} : memref<4x1x1xf32>
// CHECK-LABEL: c.program @many
// CHECK:         c.buffer "th" #c<kind constant> {values = {{.*}}>} : memref<32x1x1xf32>
c.program @few attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind state> {layout = #c<layout channels_last>, values = #nopt.array<0.0 : tensor<f32>>} : memref<4x4x4xf32>
  %y = c.buffer "y" #c<kind state> {layout = #c<layout channels_last>, values = #nopt.array<0.0 : tensor<f32>>} : memref<4x4x4xf32>
  %th = c.buffer "th" #c<kind constant> {values = #nopt.array<[[[1.0]], [[2.0]], [[3.0]], [[4.0]]] : tensor<4x1x1xf32>> } : memref<4x1x1xf32>
  c.tick {
    c.loop "n"(%x, %th) -> (%y) : (memref<4x4x4xf32>, memref<4x1x1xf32>) -> (memref<4x4x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      c.yield %s : f32
    }
  }
}
c.program @many attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind state> {layout = #c<layout channels_last>, values = #nopt.array<0.0 : tensor<f32>>} : memref<32x4x4xf32>
  %y = c.buffer "y" #c<kind state> {layout = #c<layout channels_last>, values = #nopt.array<0.0 : tensor<f32>>} : memref<32x4x4xf32>
  %th = c.buffer "th" #c<kind constant> {values = #nopt.array<[[[0.0]], [[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]], [[9.0]], [[10.0]], [[11.0]], [[12.0]], [[13.0]], [[14.0]], [[15.0]], [[16.0]], [[17.0]], [[18.0]], [[19.0]], [[20.0]], [[21.0]], [[22.0]], [[23.0]], [[24.0]], [[25.0]], [[26.0]], [[27.0]], [[28.0]], [[29.0]], [[30.0]], [[31.0]]] : tensor<32x1x1xf32>> } : memref<32x1x1xf32>
  c.tick {
    c.loop "n"(%x, %th) -> (%y) : (memref<32x4x4xf32>, memref<32x1x1xf32>) -> (memref<32x4x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      c.yield %s : f32
    }
  }
}
