// Channels are numbered from 0, and the core has as many axons.
// RUN: mutate 's/channels = #nopt.array<\[0\]/channels = #nopt.array<[1]/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NUMBER
// RUN: mutate 's/axons = 1/axons = 2/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXONS
// RUN: mutate 's/channels = #nopt.array<\[0\] : tensor<1xi32>>/channels = #nopt.array<[0, 1] : tensor<2xi32>>/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHAPE
// NUMBER:     error[XYL001]: the numbers of channels are invalid
// AXONS:      error[CHI002]: axons are not the channels of the inputs
// SHAPE:      error[CHI001]: channels has another shape
