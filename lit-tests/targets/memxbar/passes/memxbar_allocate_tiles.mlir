// Two columns of an output hold positive and negative weights: 31 is 31 and 0, -5 is 0 and 5.
// RUN: nopt %S/../inputs/net.mlir -p convert-ntensor-to-memxbar,memxbar-allocate-tiles | filecheck %s
// CHECK: memxbar.convolution
// CHECK-NEXT: memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 1] : tensor<2xi32>>, levels = #nopt.array<{{\[\[}}1, 0], [0, 2], [3, 0], [0, 0]] : tensor<4x2xui8>>}
// CHECK: memxbar.dense
// CHECK-NEXT: memxbar.tile 1 {{.*}}levels = #nopt.array<{{\[\[}}31, 0, 0, 5]] : tensor<1x4xui8>>}

// Arrays with two rows: the third row of the kernel has weights of zero alone, but not its tile.
// RUN: mutate 's|"memxbar/array128"|"memxbar/array128", machine.set = ["core.input_axons=2"]|' %S/../inputs/net.mlir | nopt - -p convert-ntensor-to-memxbar,memxbar-allocate-tiles | filecheck %s --check-prefix=ROWS
// ROWS:      memxbar.tile 0 {{.*}}rows = #nopt.array<[0, 2] : tensor<2xi32>>{{.*}}levels = #nopt.array<{{\[\[}}1, 0], [0, 2]]
// ROWS-NEXT: memxbar.tile 1 {{.*}}rows = #nopt.array<[2, 2] : tensor<2xi32>>{{.*}}levels = #nopt.array<{{\[\[}}3, 0], [0, 0]]

// The encoding `offset` with two slices of 5 bits: zero is 512 = 16 * 32 + 0, so 31 is 543 = 16 * 32 + 31 and -5 is 507 = 15 * 32 + 27. The last two columns hold zero.
// RUN: mutate 's|"memxbar/array128"|"memxbar/array128", machine.set = ["features.encoding=offset", "features.slices=2"]|' %S/../inputs/net.mlir | nopt - -p convert-ntensor-to-memxbar,memxbar-allocate-tiles | filecheck %s --check-prefix=OFFSET
// OFFSET: memxbar.dense
// OFFSET-NEXT: levels = #nopt.array<{{\[\[}}31, 16, 27, 15, 0, 16]] : tensor<1x6xui8>>
