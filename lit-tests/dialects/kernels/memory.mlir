// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s

// Buffers of every kind, with values, a user's name, storage and an offset.
// CHECK: kernels.program @net
// CHECK: kernels.buffer "x" #kernels<kind input> {node = "in", spikes} : memref<3xui8>
// CHECK: kernels.buffer "y" #kernels<kind output> {storage = #kernels<storage wide>} : memref<2xui8>
// CHECK: kernels.buffer "w" #kernels<kind constant> {values = #nopt.array<[1, 2, 3] : tensor<3xi8>>, storage = #kernels<storage packed>, offset = 4 : i64} : memref<3xsi8>
// CHECK: kernels.buffer "v" #kernels<kind state> {values = #nopt.array<0.0 : tensor<f32>>} : memref<2xf32>
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = kernels.buffer "x" #kernels<kind input> {node = "in", spikes} : memref<3xui8>
  %y = kernels.buffer "y" #kernels<kind output> {storage = #kernels<storage wide>} : memref<2xui8>
  %w = kernels.buffer "w" #kernels<kind constant> {values = #nopt.array<[1, 2, 3] : tensor<3xi8>>, storage = #kernels<storage packed>, offset = 4 : i64} : memref<3xsi8>
  %v = kernels.buffer "v" #kernels<kind state> {values = #nopt.array<0.0 : tensor<f32>>} : memref<2xf32>
}
