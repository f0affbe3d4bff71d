// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// Events of a buffer, and scatters that visit only the events or all neurons.
// CHECK-LABEL: c.program @scatters
// CHECK:         c.events %x -> %list, %count : memref<6xui8> -> memref<1x6xui16>, memref<1xui32>
// CHECK-NEXT:    c.rows "fc" %x, %w into %s events %list, %count {spikes, finite} : memref<6xui8>, memref<1x6x2xf32> into memref<2xf32> events memref<1x6xui16>, memref<1xui32>
// CHECK-NEXT:    c.rows "fc" %x, %w into %s {finite} : memref<6xui8>, memref<1x6x2xf32> into memref<2xf32>
// CHECK-NEXT:    c.compressed "sparse" %x, %one by %start, %target into %s {finite} : memref<6xui8>, memref<1xf32> by memref<7xui8>, memref<2xui8> into memref<2xf32>
// CHECK-NEXT:    c.compressed "late" %x, %one by %groups, %target into %s late %start, %delay, %ring at %now {finite} : memref<6xui8>, memref<1xf32> by memref<3xui8>, memref<2xui8> into memref<2xf32> late memref<7xui8>, memref<2xui8>, memref<4x6xui8> at memref<1xsi32>
c.program @scatters attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<6xui8>
  %list = c.buffer "list" #c<kind scratch> : memref<1x6xui16>
  %count = c.buffer "count" #c<kind scratch> : memref<1xui32>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1.0) : tensor<1x6x2xf32>>} : memref<1x6x2xf32>
  %one = c.buffer "one" #c<kind constant> {values = #nopt.array<[1.0] : tensor<1xf32>>} : memref<1xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 1, 2, 2, 2, 2, 2] : tensor<7xui8>>} : memref<7xui8>
  %groups = c.buffer "groups" #c<kind constant> {values = #nopt.array<[0, 1, 2] : tensor<3xui8>>} : memref<3xui8>
  %target = c.buffer "target" #c<kind constant> {values = #nopt.array<[0, 1] : tensor<2xui8>>} : memref<2xui8>
  %delay = c.buffer "delay" #c<kind constant> {values = #nopt.array<[3, 1] : tensor<2xui8>>} : memref<2xui8>
  %ring = c.buffer "ring" #c<kind state> : memref<4x6xui8>
  %now = c.buffer "now" #c<kind state> : memref<1xsi32>
  %s = c.buffer "s" #c<kind scratch> : memref<2xf32>
  c.tick {
    c.events %x -> %list, %count : memref<6xui8> -> memref<1x6xui16>, memref<1xui32>
    c.rows "fc" %x, %w into %s events %list, %count {spikes, finite} : memref<6xui8>, memref<1x6x2xf32> into memref<2xf32> events memref<1x6xui16>, memref<1xui32>
    c.rows "fc" %x, %w into %s {finite} : memref<6xui8>, memref<1x6x2xf32> into memref<2xf32>
    c.compressed "sparse" %x, %one by %start, %target into %s {finite} : memref<6xui8>, memref<1xf32> by memref<7xui8>, memref<2xui8> into memref<2xf32>
    c.compressed "late" %x, %one by %groups, %target into %s late %start, %delay, %ring at %now {finite} : memref<6xui8>, memref<1xf32> by memref<3xui8>, memref<2xui8> into memref<2xf32> late memref<7xui8>, memref<2xui8>, memref<4x6xui8> at memref<1xsi32>
  }
}

// Rows of a bitmap: source 0 has two of them, each with its weight.
// CHECK-LABEL: c.program @bitmap
// CHECK:         c.bitmap "few" %x, %w by %start, %bits into %s events %list, %count {spikes, finite} : memref<2xui8>, memref<3xf32> by memref<3xui8>, memref<3x2xui32> into memref<40xf32> events memref<1x2xui16>, memref<1xui32>
c.program @bitmap attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<2xui8>
  %list = c.buffer "list" #c<kind scratch> : memref<1x2xui16>
  %count = c.buffer "count" #c<kind scratch> : memref<1xui32>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[1.0, 2.0, 1.0] : tensor<3xf32>>} : memref<3xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 3] : tensor<3xui8>>} : memref<3xui8>
  %bits = c.buffer "bits" #c<kind constant> {values = #nopt.array<[[1, 0], [2, 128], [3, 0]] : tensor<3x2xui32>>} : memref<3x2xui32>
  %s = c.buffer "s" #c<kind scratch> : memref<40xf32>
  c.tick {
    c.bitmap "few" %x, %w by %start, %bits into %s events %list, %count {spikes, finite} : memref<2xui8>, memref<3xf32> by memref<3xui8>, memref<3x2xui32> into memref<40xf32> events memref<1x2xui16>, memref<1xui32>
  }
}

// The kernel of a window is implicit; a `combine` region replaces the addition of terms.
// CHECK-LABEL: c.program @windows
// CHECK:         c.window "conv" %x, %w into %s {spikes, finite, kernel = {{.*}}, groups = 1 : i64} : memref<1x4x4xui8>, memref<8xsi8> into memref<2x3x3xsi16> {
// CHECK-NEXT:    ^bb0({{.*}}: !fixed.int<-8, 7>, {{.*}}: !fixed.int<-100, 100>):
// CHECK:           c.yield {{.*}} : !fixed.int<-100, 100>
// CHECK:         c.pool "pool" %x -> %p {kernel = {{.*}}} : memref<1x4x4xui8> -> memref<1x2x2xui8>
// CHECK-NEXT:    c.pool "max" %x -> %p {greatest, kernel = {{.*}}} : memref<1x4x4xui8> -> memref<1x2x2xui8>
c.program @windows attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> {spikes} : memref<1x4x4xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[1, 2, 3, 4, 5, 6, 7, -8] : tensor<8xi8>>} : memref<8xsi8>
  %s = c.buffer "s" #c<kind state> : memref<2x3x3xsi16>
  %p = c.buffer "p" #c<kind output> : memref<1x2x2xui8>
  c.tick {
    c.window "conv" %x, %w into %s {spikes, finite, kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, before = #nopt.array<[0, 0] : tensor<2xi64>>, groups = 1 : i64} : memref<1x4x4xui8>, memref<8xsi8> into memref<2x3x3xsi16> {
    ^bb0(%term: !fixed.int<-8, 7>, %sum: !fixed.int<-100, 100>):
      %a = fixed.add %sum, %term : !fixed.int<-100, 100>, !fixed.int<-8, 7> -> !fixed.int<-108, 107>
      %b = fixed.saturate %a : !fixed.int<-108, 107> -> !fixed.int<-100, 100>
      c.yield %b : !fixed.int<-100, 100>
    }
    c.pool "pool" %x -> %p {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, before = #nopt.array<[0, 0] : tensor<2xi64>>} : memref<1x4x4xui8> -> memref<1x2x2xui8>
    c.pool "max" %x -> %p {greatest, kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, before = #nopt.array<[0, 0] : tensor<2xi64>>} : memref<1x4x4xui8> -> memref<1x2x2xui8>
  }
}
