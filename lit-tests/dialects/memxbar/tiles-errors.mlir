// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A tile is a part of the matrix of its layer.
// CHECK: error[MXB002]: a tile is outside of its layer
// CHECK:   expected: 4 rows, 2 columns, 1 groups
// CHECK:   found: rows to 5
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    // expected-error @below {{[MXB002]}}
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[1, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// Columns, too.
// CHECK: error[MXB002]: a tile is outside of its layer
// CHECK:   found: rows to 4, columns to 3
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    // expected-error @below {{[MXB002]}}
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 3] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// A tile has a column.
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x : tensor<4xi1> -> tensor<2xi16> {
    // expected-error @below {{[MXB002]: a tile without columns}}
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 0] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
}

// -----

// A cell of 5 bits has 32 levels.
// CHECK: error[MXB002]: a cell has no such level
// CHECK:   expected: 0 to 31
// CHECK:   found: 32
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    // expected-error @below {{[MXB002]}}
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[32, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// Levels have as many columns as the encoding takes.
// CHECK: error[MXB002]: levels have other columns than the encoding
// CHECK:   expected: 3
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "offset", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    // expected-error @below {{[MXB002]}}
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// A range is positive.
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x : tensor<4xi1> -> tensor<2xi16> {
    // expected-error @below {{[MXB002]: adc_range is out of range}}
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>, adc_range = #nopt.array<[0.0] : tensor<1xf64>>}
  }
}

// -----

// Each slice has a range.
// CHECK: error[MXB002]: adc_range has another length
// CHECK:   expected: 1
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    // expected-error @below {{[MXB002]}}
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>, adc_range = #nopt.array<[1.0, 2.0] : tensor<2xf64>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// A weight has one tile.
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
    // expected-error @below {{[MXB002]: two tiles hold the same weights}}
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}
