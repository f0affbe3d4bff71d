// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null

// A dense layer with a tile, and a convolution with weights, of which all positions of a line are computed in one product.
// RUN: nopt %S/inputs/memxbar.mlir | nopt - | filecheck %s --check-prefix=DENSE
// RUN: nopt %S/inputs/memxbar_convolution.mlir | nopt - | filecheck %s --check-prefix=WINDOW
// DENSE:  memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
// WINDOW: memxbar.convolution "c" %x attributes {{.*}}positions = 2 : i64{{.*}} : tensor<2x4x4xi1> -> tensor<4x4x4xi16> {

// -----

// A dense layer with a tile, and a convolution with weights, of which all positions of a line are computed in one product.
memxbar.network @net("x" %x: tensor<2x4x4xi1>) -> ("y": tensor<4x4x4xi16>) attributes {tick_ns = 1000000 : i64, machine.device = "memxbar/array128"} {
  %a = memxbar.convolution "c" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, weight = #nopt.array<integers(low = -3, high = 4, seed = 1) : tensor<4x1x3x3xi8>>, kernel = #nopt.array<[3, 3] : tensor<2xi32>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi32>>, dilation = #nopt.array<[1, 1] : tensor<2xi32>>, groups = 2 : i64, positions = 4 : i64} : tensor<2x4x4xi1> -> tensor<4x4x4xi16> {
  ^bb0:
  }
  memxbar.output %a : tensor<4x4x4xi16>
}
