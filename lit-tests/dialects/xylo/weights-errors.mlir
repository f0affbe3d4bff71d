// Three layers have weights.
// RUN: mutate 's/weights "input"/weights "inputs"/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LAYER
// RUN: mutate 's/weights "output"/weights "recurrent"/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TWICE
// LAYER:      error[XYL001]: unknown layer of weights
// LAYER:        expected: input, recurrent, output
// TWICE:      error[XYL001]: a layer has two lists of weights

// Sources, targets and currents exist.
// RUN: mutate '/"input"/s/source = #nopt.array<\[0\]/source = #nopt.array<[1]/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SOURCE
// RUN: mutate '/"output"/s/current = #nopt.array<\[0\]/current = #nopt.array<[1]/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CURRENT
// SOURCE:     error[XYL001]: the source of a weight does not exist
// CURRENT:    error[XYL001]: a current does not exist

// A weight is not 0, is an integer of 8 bits, and has 16 bits after its shift.
// RUN: mutate '/"input"/s/weight = #nopt.array<\[100\]/weight = #nopt.array<[0]/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: mutate '/"input"/s/tensor<1xi8>/tensor<1xi16>/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TYPE
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 shift=9 | not nopt - 2>&1 | filecheck %s --check-prefix=SHIFT
// ZERO:       error[XYL001]: a weight is 0
// TYPE:       error[XYL001]: weights are invalid
// SHIFT:      error[XYL001]: a weight is shifted too far
// SHIFT:        found: 100 << 9

// Synapses are sorted, each once.
// RUN: mutate '/"recurrent"/s/\[0\] : tensor<1xi32>/[0, 0] : tensor<2xi32>/g' '/"recurrent"/s/\[1\] : tensor<1xi8>/[1, 1] : tensor<2xi8>/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SORTED
// SORTED:     error[XYL001]: weights are not sorted
