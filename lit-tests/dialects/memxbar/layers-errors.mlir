// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A weight has at least one cell of one bit.
// CHECK: error[MXB001]: unknown cells of a weight
// CHECK:   found: differential, 0 bits
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 0 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// Weights have at most 16 bits.
// CHECK: error[MXB001]: a weight has too many bits
// CHECK:   expected: at most 16
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 17 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// There are two encodings.
// CHECK: error[MXB001]: unknown cells of a weight
// CHECK:   expected: differential or offset
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.dense "fc" %x attributes {encoding = "ternary", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// A result is an integer.
// CHECK: error[MXB001]: the result of a layer is not an integer
// CHECK:   found: f32
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xf32>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xf32> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xf32>
}

// -----

// A bias has the shape of the result.
// CHECK: error[MXB001]: bias has another shape
// CHECK:   expected: integers, [] or [2]
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, bias = #nopt.array<[1, 2, 3] : tensor<3xi16>>} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// A range is positive.
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]: dac_range is out of range}}
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, dac_range = 0.0 : f64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// A source is an input.
// CHECK: error[MXB001]: sources is out of range
// CHECK:   expected: 4 integers below 4
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, sources = #nopt.array<[0, 1, 2, 4] : tensor<4xi32>>} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// The last source is one.
// CHECK: error[MXB002]: a tile is outside of its layer
// CHECK:   expected: 3 rows
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, sources = #nopt.array<[0, 1, 3] : tensor<3xi32>>} : tensor<4xi1> -> tensor<2xi16> {
    // expected-error @below {{[MXB002]}}
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// A stride is positive.
// CHECK: error[MXB001]: stride is out of range
// CHECK:   expected: integers from 1, [2]
memxbar.network @net("x" %x: tensor<2x4x4xi1>) -> ("y": tensor<4x4x4xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.convolution "c" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, kernel = #nopt.array<[3, 3] : tensor<2xi32>>, stride = #nopt.array<[0, 1] : tensor<2xi32>>, padding = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi32>>, dilation = #nopt.array<[1, 1] : tensor<2xi32>>, groups = 2 : i64, positions = 2 : i64} : tensor<2x4x4xi1> -> tensor<4x4x4xi16> {
  ^bb0:
  }
  memxbar.output %a : tensor<4x4x4xi16>
}

// -----

// Groups divide the channels.
// CHECK: error[MXB001]: groups do not divide the channels
// CHECK:   expected: a divisor of 2 and 4
memxbar.network @net("x" %x: tensor<2x4x4xi1>) -> ("y": tensor<4x4x4xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.convolution "c" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, kernel = #nopt.array<[3, 3] : tensor<2xi32>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi32>>, dilation = #nopt.array<[1, 1] : tensor<2xi32>>, groups = 3 : i64, positions = 2 : i64} : tensor<2x4x4xi1> -> tensor<4x4x4xi16> {
  ^bb0:
  }
  memxbar.output %a : tensor<4x4x4xi16>
}

// -----

// A product computes at most the positions of a line of the map.
// CHECK: error[MXB001]: positions are out of range
// CHECK:   expected: 1 to 4
memxbar.network @net("x" %x: tensor<2x4x4xi1>) -> ("y": tensor<4x4x4xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.convolution "c" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, kernel = #nopt.array<[3, 3] : tensor<2xi32>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi32>>, dilation = #nopt.array<[1, 1] : tensor<2xi32>>, groups = 2 : i64, positions = 5 : i64} : tensor<2x4x4xi1> -> tensor<4x4x4xi16> {
  ^bb0:
  }
  memxbar.output %a : tensor<4x4x4xi16>
}

// -----

// The padding determines the result.
// CHECK: error[MXB001]: the result has other positions
// CHECK:   expected: [3, 4]
memxbar.network @net("x" %x: tensor<2x4x4xi1>) -> ("y": tensor<4x4x4xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.convolution "c" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, kernel = #nopt.array<[3, 3] : tensor<2xi32>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[[0, 1], [1, 1]] : tensor<2x2xi32>>, dilation = #nopt.array<[1, 1] : tensor<2xi32>>, groups = 2 : i64, positions = 2 : i64} : tensor<2x4x4xi1> -> tensor<4x4x4xi16> {
  ^bb0:
  }
  memxbar.output %a : tensor<4x4x4xi16>
}

// -----

// Weights have the channels of a group.
// CHECK: error[MXB001]: weight has another shape
// CHECK:   expected: integers, [4, 1, 3, 3]
memxbar.network @net("x" %x: tensor<2x4x4xi1>) -> ("y": tensor<4x4x4xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.convolution "c" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, weight = #nopt.array<integers(low = -3, high = 4, seed = 1) : tensor<4x2x3x3xi8>>, kernel = #nopt.array<[3, 3] : tensor<2xi32>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi32>>, dilation = #nopt.array<[1, 1] : tensor<2xi32>>, groups = 2 : i64, positions = 2 : i64} : tensor<2x4x4xi1> -> tensor<4x4x4xi16> {
  ^bb0:
  }
  memxbar.output %a : tensor<4x4x4xi16>
}

// -----

// Delays and sources of rank 0.
// CHECK: error[MXB001]: delay is out of range
// CHECK:   found: [9] of shape []
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.dense "fc" %x attributes {delay = #nopt.array<9 : tensor<i32>>, encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// Delays and sources of rank 0.
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]: sources is out of range}}
  %a = memxbar.dense "fc" %x attributes {sources = #nopt.array<0 : tensor<i32>>, encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// A bias beyond the result, an exponent beyond those of integers, and a range without an end.
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]: bias is out of range}}
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, bias = #nopt.array<[1, 99999999999] : tensor<2xi64>>} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// A bias beyond the result, an exponent beyond those of integers, and a range without an end.
// CHECK: error[MXB001]: exponent is out of range
// CHECK:   found: 63 to 63
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]}}
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, exponent = #nopt.array<63 : tensor<i32>>} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

// -----

// A bias beyond the result, an exponent beyond those of integers, and a range without an end.
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[MXB001]: dac_range is out of range}}
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64, dac_range = 0x7FF0000000000000 : f64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 0 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}
