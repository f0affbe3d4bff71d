// Processors of a node have numbers from 0: column, row, number. A dense layer is on an FNP3, a convolution on any kind.
// RUN: nopt %S/inputs/akida.mlir | filecheck %s
// CHECK: akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>
// CHECK: akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>
// CHECK: akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>
