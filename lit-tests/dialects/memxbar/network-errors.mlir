// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A tick has a length.
// expected-error @below {{[MXB003]: the length of a tick is not positive}}
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 0 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// An array holds one tile.
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile -1 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
    // expected-error @below {{[MXB002]: two tiles hold the same weights}}
    memxbar.tile -1 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// The cells are those of the device.
// CHECK: error[MXB005]: a layer has other cells than the device
// CHECK:   expected: differential, 1 x 5 bits (memxbar/array128, features.cell_bits
// CHECK:   found: differential, 1 x 4 bits
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64, machine.device = "memxbar/array128"} {
  // expected-error @below {{[MXB005]}}
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 4 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[15, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// The device has 1024 arrays.
// CHECK: error[MXB006]: the device has too few arrays
// CHECK:   expected: at most 1024 arrays (memxbar/array128, topology.cores
// CHECK:   found: 1025, of which fc takes 1
// CHECK:   help: nopt check FILE --target auto
// expected-error @below {{[MXB006]}}
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64, machine.device = "memxbar/array128"} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 1024 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// An op that no array computes.
// CHECK: error[MXB003]: an op that no array computes
// CHECK:   found: ntensor.avg_pool2d
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  // expected-error @below {{[MXB003]}}
  %v = ntensor.avg_pool2d "p" %q {kernel = #nopt.array<[1, 1] : tensor<2xi64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x2xf32> -> tensor<1x1x2xf32>
  %q = ntensor.delay "d" %v {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1x1x2xf32>
  memxbar.output %a : tensor<2xi16>
}

// -----

// A cycle has a delay.
// expected-error @below {{[MXB003]: a loop has no delay}}
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  %v = ntensor.sum %v : (tensor<2xi16>) -> tensor<2xi16>
  memxbar.output %a : tensor<2xi16>
}

// -----

// A name is used once.
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  // expected-error @below {{[MXB003]: two ops have the same name}}
  %v = ntensor.reshape "fc" %a : tensor<2xi16> -> tensor<2xi16>
  memxbar.output %a : tensor<2xi16>
}

// -----

// The type of an output is that of its value.
// expected-error @below {{[MXB003]: the output types of the region differ from the signature}}
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi8>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}
