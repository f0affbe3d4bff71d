// A map that is wider than a tile is divided: 3 columns into 2 and 1. A tile also reads the next column, so the first one takes 3 columns of
// 4 bytes, the second one 2.
// RUN: nopt %S/../../targets/akida/inputs/net.mlir -p 'ntensor-legalize{device=akida/akd1000 set="features.cnp_width=2"},ntensor-widen-sums,convert-ntensor-to-akida' | filecheck %s
// CHECK:      akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 1] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 3, 2] : tensor<4xi32>>, input_bytes = 12 : i64
// CHECK-NEXT: akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 1] : tensor<2xi32>>, tile = #nopt.array<[0, 2, 3, 1] : tensor<4xi32>>, input_bytes = 8 : i64

// A limit of two rows divides along h, with the next processors.
// RUN: nopt %S/../../targets/akida/inputs/net.mlir -p 'ntensor-legalize{device=akida/akd1000 set="features.cnp_height=2"},ntensor-widen-sums,convert-ntensor-to-akida' | filecheck %s --check-prefix=ROWS
// ROWS:      tile = #nopt.array<[0, 0, 2, 3] : tensor<4xi32>>
// ROWS-NEXT: tile = #nopt.array<[2, 0, 1, 3] : tensor<4xi32>>
