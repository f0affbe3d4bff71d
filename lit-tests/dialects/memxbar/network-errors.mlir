// A tick has a length.
// RUN: mutate 's/tick_ns = 1000000/tick_ns = 0/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C0
// C0: error[MXB003]: the length of a tick is not positive

// An array holds one tile.
// RUN: mutate 's/^    memxbar.tile.*$/&\n&/' 's/tile 0/tile -1/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C1
// C1: error[MXB002]: two tiles

// The cells are those of the device.
// RUN: mutate 's/cell_bits = 5/cell_bits = 4/' 's/\[\[31/[[15/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C2
// C2: error[MXB005]: a layer has other cells than the device
// C2: expected: differential, 1 x 5 bits (memxbar/array128, features.cell_bits
// C2: found: differential, 1 x 4 bits

// The device has 1024 arrays.
// RUN: mutate 's/tile 0/tile 1024/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C3
// C3: error[MXB006]: the device has too few arrays
// C3: expected: at most 1024 arrays (memxbar/array128, topology.cores
// C3: found: 1025, of which fc takes 1
// C3: help: nopt check FILE --target auto

// An op that no array computes.
// RUN: mutate 's/  memxbar.output .*/  %v = ntensor.avg_pool2d "p" %q {kernel = #nopt.array<[1, 1] : tensor<2xi64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x2xf32> -> tensor<1x1x2xf32>\n  %q = ntensor.delay "d" %v {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1x1x2xf32>\n&/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C4
// C4: error[MXB003]: an op that no array computes
// C4: found: ntensor.avg_pool2d

// A cycle has a delay.
// RUN: mutate 's/  memxbar.output .*/  %v = ntensor.sum %v : (tensor<2xi16>) -> tensor<2xi16>\n&/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C5
// C5: error[MXB003]: a loop has no delay

// A name is used once.
// RUN: mutate 's/  memxbar.output .*/  %v = ntensor.reshape "fc" %a : tensor<2xi16> -> tensor<2xi16>\n&/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C6
// C6: error[MXB003]: two ops have the same name

// The type of an output is that of its value.
// RUN: mutate 's/(\"y\": tensor<2xi16>)/(\"y\": tensor<2xi8>)/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C7
// C7: error[MXB003]: the output types of the region differ from the signature
