// States of every type of integers are copied into shared memory and back without a change.
// RUN: nopt %s -p kernels-use-shared-memory > %t
// RUN: filecheck %s --input-file %t
// RUN: nopt %t -t wgsl | filecheck %s --check-prefix=WGSL

// Two words of each element of 64 bits; a word of 32 bits without a sign; a word for 8 bits.
// CHECK:       kernels.stage 2 attributes {phase = #kernels<phase enter>}
// CHECK-COUNT-2: kernels.load %{{.*}} : memref<2xsi64> -> i32
// CHECK:       kernels.stage 2 attributes {phase = #kernels<phase enter>}
// CHECK:         kernels.load %{{.*}} : memref<2xui32> -> index
// CHECK:       kernels.stage 2 attributes {phase = #kernels<phase enter>}
// CHECK:         kernels.load %{{.*}} : memref<2xsi8> -> !fixed.int<-128, 127>

// WGSL:        var<workgroup> shared_i32: array<i32, 
// WGSL:        fn net_step(
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64, features = []} {
  %a = kernels.buffer "a" #kernels<kind state> {values = #nopt.array<0 : tensor<i8>>, storage = #kernels<storage wide>} : memref<2xsi8>
  %b = kernels.buffer "b" #kernels<kind state> {values = #nopt.array<0 : tensor<i32>>} : memref<2xui32>
  %c = kernels.buffer "c" #kernels<kind state> {values = #nopt.array<0 : tensor<i64>>, storage = #kernels<storage split>} : memref<2xsi64>
  %y = kernels.buffer "y" #kernels<kind output> : memref<2xsi32>
  kernels.kernel "step" %a, %b, %c, %y {workgroup = 2 : i64, form = #kernels<form group>, ticks = 8 : i64} : memref<2xsi8>, memref<2xui32>, memref<2xsi64>, memref<2xsi32> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %0 = kernels.load %a[%e] : memref<2xsi8> -> !fixed.int<0, 100>
      kernels.store %0, %a[%e] : !fixed.int<0, 100>, memref<2xsi8>
      %1 = kernels.load %b[%e] : memref<2xui32> -> !fixed.int<0, 100>
      kernels.store %1, %b[%e] : !fixed.int<0, 100>, memref<2xui32>
      %2 = kernels.load %c[%e] : memref<2xsi64> -> i32
      kernels.store %2, %c[%e] : i32, memref<2xsi64>
      kernels.store %0, %y[%e] : !fixed.int<0, 100>, memref<2xsi32>
    }
  }
}
