// Weights have 8 bits and a shift for their layer; -128 << 8 has 16 bits.
// RUN: nopt %S/inputs/xylo.mlir | filecheck %s
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 shift=8 weight=-128 | nopt - -o /dev/null
// CHECK:      xylo.weights "input" {shift = 7 : i64
// CHECK:      xylo.weights "recurrent" {shift = 0 : i64
// CHECK:      xylo.weights "output" {shift = 2 : i64
