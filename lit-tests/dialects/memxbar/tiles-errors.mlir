// A tile is a part of the matrix of its layer.
// RUN: mutate 's/\[0, 4\]/[1, 4]/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C0
// C0: error[MXB002]: a tile is outside of its layer
// C0: expected: 4 rows, 2 columns, 1 groups
// C0: found: rows to 5

// Columns, too.
// RUN: mutate 's/\[0, 2\]/[0, 3]/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C1
// C1: error[MXB002]: a tile is outside of its layer
// C1: found: rows to 4, columns to 3

// A tile has a column.
// RUN: mutate 's/\[0, 2\]/[0, 0]/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C2
// C2: error[MXB002]: a tile without columns

// A cell of 5 bits has 32 levels.
// RUN: mutate 's/\[\[31, 0/[[32, 0/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C3
// C3: error[MXB002]: a cell has no such level
// C3: expected: 0 to 31
// C3: found: 32

// Levels have as many columns as the encoding takes.
// RUN: mutate 's/"differential"/"offset"/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C4
// C4: error[MXB002]: levels have other columns than the encoding
// C4: expected: 3

// A range is positive.
// RUN: mutate 's/tensor<4x4xui8>>}/tensor<4x4xui8>>, adc_range = #nopt.array<[0.0] : tensor<1xf64>>}/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C5
// C5: error[MXB002]: adc_range is out of range

// Each slice has a range.
// RUN: mutate 's/tensor<4x4xui8>>}/tensor<4x4xui8>>, adc_range = #nopt.array<[1.0, 2.0] : tensor<2xf64>>}/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C6
// C6: error[MXB002]: adc_range has another length
// C6: expected: 1

// A weight has one tile.
// RUN: mutate 's/^    memxbar.tile.*$/&\n&/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=C7
// C7: error[MXB002]: two tiles hold the same weights
