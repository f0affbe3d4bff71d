// A weight has at least one cell of one bit.
// RUN: mutate 's/slices = 1/slices = 0/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C0
// C0: error[MXB001]: unknown cells of a weight
// C0: found: differential, 0 bits

// Weights have at most 16 bits.
// RUN: mutate 's/cell_bits = 5/cell_bits = 17/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C1
// C1: error[MXB001]: a weight has too many bits
// C1: expected: at most 16

// There are two encodings.
// RUN: mutate 's/"differential"/"ternary"/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C2
// C2: error[MXB001]: unknown cells of a weight
// C2: expected: differential or offset

// A result is an integer.
// RUN: mutate 's/xi16/xf32/g' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C3
// C3: error[MXB001]: the result of a layer is not an integer
// C3: found: f32

// A bias has the shape of the result.
// RUN: mutate 's/, cell_bits = 5 : i64/&, bias = #nopt.array<[1, 2, 3] : tensor<3xi16>>/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C4
// C4: error[MXB001]: bias has another shape
// C4: expected: integers, [] or [2]

// A range is positive.
// RUN: mutate 's/, cell_bits = 5 : i64/&, dac_range = 0.0 : f64/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C5
// C5: error[MXB001]: dac_range is out of range

// A source is an input.
// RUN: mutate 's/, cell_bits = 5 : i64/&, sources = #nopt.array<[0, 1, 2, 4] : tensor<4xi32>>/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C6
// C6: error[MXB001]: sources is out of range
// C6: expected: 4 integers below 4

// The last source is one.
// RUN: mutate 's/, cell_bits = 5 : i64/&, sources = #nopt.array<[0, 1, 3] : tensor<3xi32>>/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C7
// C7: error[MXB002]: a tile is outside of its layer
// C7: expected: 3 rows

// A stride is positive.
// RUN: mutate 's/stride = #nopt.array<\[1, 1\]/stride = #nopt.array<[0, 1]/' %S/inputs/memxbar_convolution.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=K0
// K0: error[MXB001]: stride is out of range
// K0: expected: integers from 1, [2]

// Groups divide the channels.
// RUN: mutate 's/groups = 2/groups = 3/' %S/inputs/memxbar_convolution.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=K1
// K1: error[MXB001]: groups do not divide the channels
// K1: expected: a divisor of 2 and 4

// A product computes at most the positions of a line of the map.
// RUN: mutate 's/positions = 2/positions = 5/' %S/inputs/memxbar_convolution.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=K2
// K2: error[MXB001]: positions are out of range
// K2: expected: 1 to 4

// The padding determines the result.
// RUN: mutate 's/\[\[1, 1\], \[1, 1\]\]/[[0, 1], [1, 1]]/' %S/inputs/memxbar_convolution.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=K3
// K3: error[MXB001]: the result has other positions
// K3: expected: [3, 4]

// Weights have the channels of a group.
// RUN: mutate 's/4x1x3x3/4x2x3x3/' %S/inputs/memxbar_convolution.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=K4
// K4: error[MXB001]: weight has another shape
// K4: expected: integers, [4, 1, 3, 3]

// Delays and sources of rank 0.
// RUN: mutate 's/memxbar.dense "fc" %x attributes {/&delay = #nopt.array<9 : tensor<i32>>, /' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=RANK
// RUN: mutate 's/memxbar.dense "fc" %x attributes {/&sources = #nopt.array<0 : tensor<i32>>, /' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SOURCES
// RANK: error[MXB001]: delay is out of range
// RANK: found: [9] of shape []
// SOURCES: error[MXB001]: sources is out of range

// A bias beyond the result, an exponent beyond those of integers, and a range without an end.
// RUN: mutate 's/, cell_bits = 5 : i64/&, bias = #nopt.array<[1, 99999999999] : tensor<2xi64>>/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BIAS
// RUN: mutate 's/, cell_bits = 5 : i64/&, exponent = #nopt.array<63 : tensor<i32>>/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=EXPONENT
// RUN: mutate 's/, cell_bits = 5 : i64/&, dac_range = 0x7FF0000000000000 : f64/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=INFINITE
// BIAS: error[MXB001]: bias is out of range
// EXPONENT: error[MXB001]: exponent is out of range
// EXPONENT: found: 63 to 63
// INFINITE: error[MXB001]: dac_range is out of range
