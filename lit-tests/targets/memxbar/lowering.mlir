// RUN: nopt %S/inputs/net.mlir -p convert-ntensor-to-memxbar | filecheck %s

// Weights become matrices of layers, with a digital bias and shift. The pool stays in the periphery.
// CHECK:      memxbar.network @net("x" %x: tensor<1x4x4xi1>) -> ("y": tensor<2xi32>) attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"memxbar/array128", digest = {{.*}}>} {
// CHECK-NEXT:   %c = memxbar.convolution "conv" %x attributes {weight = #nopt.array<{{\[\[\[\[}}1, -2], [3, 0]]]] : tensor<1x1x2x2xi8>>, encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, {{.*}}kernel = #nopt.array<[2, 2] : tensor<2xi32>>, groups = 1 : i64, positions = 1 : i64} : tensor<1x4x4xi1> -> tensor<1x3x3xi16> {
// CHECK:        %p = ntensor.max_pool2d "pool" %c
// CHECK-NEXT:   %f = ntensor.reshape "flat" %p
// CHECK-NEXT:   %l = memxbar.dense "fc" %f attributes {weight = #nopt.array<{{\[\[}}31, -5]] : tensor<1x2xi8>>, {{.*}}bias = #nopt.array<[4, 0] : tensor<2xi32>>, exponent = #nopt.array<-1 : tensor<i32>>} : tensor<1xi16> -> tensor<2xi32> {
// CHECK:        memxbar.output %l : tensor<2xi32>

// A sparse map has a row for each source and delay: 2 is read by two synapses with different delays, 0 by one, and 1 and 3 by none.
// RUN: nopt %S/inputs/sparse.mlir -p convert-ntensor-to-memxbar | filecheck %s --check-prefix=SPARSE
// SPARSE: memxbar.dense "s" %x attributes {weight = #nopt.array<{{\[\[}}7, 0], [0, 5], [-3, 0]] : tensor<3x2xi8>>, {{.*}}sources = #nopt.array<[0, 2, 2] : tensor<3xi32>>, delay = #nopt.array<[1, 0, 4] : tensor<3xi32>>}

// Upsampling repeats elements in the periphery. A transposed convolution is a matrix, with its bias for each result: source 0 reaches the
// results 0 and 1 of its row in both channels, of which the weight 0 is none.
// RUN: nopt %S/inputs/transposed.mlir -p convert-ntensor-to-memxbar | filecheck %s --check-prefix=BACK
// BACK:      %u = ntensor.upsample2d "up" %x
// BACK-NEXT:      memxbar.dense "back" %u
// BACK-SAME:        : tensor<4x12xi8>>
// BACK-SAME{LITERAL}: bias = #nopt.array<[[[4, 4, 4], [4, 4, 4]], [[5, 5, 5], [5, 5, 5]]] : tensor<2x2x3xi16>>
// BACK:           "0x01fe0000000003000000000000
