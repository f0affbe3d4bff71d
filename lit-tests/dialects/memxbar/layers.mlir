// A dense layer with a tile, and a convolution with weights, of which all positions of a line are computed in one product.
// RUN: nopt %S/inputs/memxbar.mlir | nopt - | filecheck %s --check-prefix=DENSE
// RUN: nopt %S/inputs/memxbar_convolution.mlir | nopt - | filecheck %s --check-prefix=WINDOW
// RUN: mutate 's/positions = 2/positions = 4/' %S/inputs/memxbar_convolution.mlir | nopt - -o /dev/null
// DENSE:  memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
// WINDOW: memxbar.convolution "c" %x attributes {{.*}}positions = 2 : i64{{.*}} : tensor<2x4x4xi1> -> tensor<4x4x4xi16> {
