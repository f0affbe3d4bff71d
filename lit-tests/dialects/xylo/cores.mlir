// The host sends entries of an input on channels.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 inputs=3 | nopt - | filecheck %s
// CHECK:      xylo.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>, channels = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi1>
// CHECK:      xylo.core 0 attributes {axons = 3 : i64} {
