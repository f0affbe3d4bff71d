// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// Buffers of every kind: a constant and a state have values, a scratch buffer has an offset.
// CHECK-LABEL: c.program @memory
// CHECK:         %k = c.buffer "k" #c<kind constant> {values = #nopt.array<[1, 2] : tensor<2xi8>>} : memref<2xsi8>
// CHECK-NEXT:    %v = c.buffer "v" #c<kind state> {values = #nopt.array<0.0 : tensor<f32>>, layout = #c<layout channels_last>} : memref<2x3x3xf32>
// CHECK-NEXT:    %s = c.buffer "s" #c<kind scratch> {layout = #c<layout channels_last>, margin = #nopt.array<{{\[\[}}1, 1], [0, 2]] : tensor<2x2xi64>>, zeroed} : memref<2x3x3xf32>
// CHECK-NEXT:    %t = c.buffer "t" #c<kind scratch> {spikes, density = 5.000000e-02 : f64, offset = 16 : i64} : memref<18xui8>
c.program @memory attributes {prefix = "net", tick_ns = 1000 : i64} {
  %k = c.buffer "k" #c<kind constant> {values = #nopt.array<[1, 2] : tensor<2xi8>>} : memref<2xsi8>
  %v = c.buffer "v" #c<kind state> {values = #nopt.array<0.0 : tensor<f32>>, layout = #c<layout channels_last>} : memref<2x3x3xf32>
  %s = c.buffer "s" #c<kind scratch> {layout = #c<layout channels_last>, margin = #nopt.array<[[1, 1], [0, 2]] : tensor<2x2xi64>>, zeroed} : memref<2x3x3xf32>
  %t = c.buffer "t" #c<kind scratch> {spikes, density = 5.000000e-02 : f64, offset = 16 : i64} : memref<18xui8>
  c.tick {
    c.clear %s : memref<2x3x3xf32>
  }
}

// Rows of rings, with a cursor if there are several rows, and a view of the same elements with another shape.
// CHECK-LABEL: c.program @views
// CHECK:         %a = c.row %ring at %now : memref<1xsi32>, of memref<4x2x3xf32> -> memref<2x3xf32>
// CHECK-NEXT:    %b = c.row %one of memref<1x2x3xf32> -> memref<2x3xf32>
// CHECK-NEXT:    %c = c.view %a : memref<2x3xf32> -> memref<6xf32>
c.program @views attributes {prefix = "net", tick_ns = 1000 : i64} {
  %ring = c.buffer "ring" #c<kind state> : memref<4x2x3xf32>
  %one = c.buffer "one" #c<kind state> : memref<1x2x3xf32>
  %now = c.buffer "now" #c<kind state> : memref<1xsi32>
  %a = c.row %ring at %now : memref<1xsi32>, of memref<4x2x3xf32> -> memref<2x3xf32>
  %b = c.row %one of memref<1x2x3xf32> -> memref<2x3xf32>
  %c = c.view %a : memref<2x3xf32> -> memref<6xf32>
  c.tick {
    c.clear %c : memref<6xf32>
  }
}

// Packed weights: two in a byte, as the table of a scatter.
// CHECK-LABEL: c.program @packed
// CHECK:         %w = c.buffer "w" #c<kind constant> {values = #nopt.array<{{.*}} : tensor<1x2x3xi8>>} : memref<1x2x3xsi4>
c.program @packed attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<2xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[[[-8, 7, 0], [1, -1, 2]]] : tensor<1x2x3xi8>>} : memref<1x2x3xsi4>
  %y = c.buffer "y" #c<kind scratch> : memref<3xsi16>
  c.tick {
    c.clear %y : memref<3xsi16>
    c.rows "fc" %x, %w into %y {finite, spikes} : memref<2xui8>, memref<1x2x3xsi4> into memref<3xsi16>
  }
}
