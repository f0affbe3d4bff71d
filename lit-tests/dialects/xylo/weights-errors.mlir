// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A weight is not 0, is an integer of 8 bits, and has 16 bits after its shift.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 shift=9 | not nopt - 2>&1 | filecheck %s --check-prefix=SHIFT
// SHIFT:      error[XYL001]: a weight is shifted too far
// SHIFT:        found: 100 << 9

// -----

// Three layers have weights.
// CHECK: error[XYL001]: unknown layer of weights
// CHECK:   expected: input, recurrent, output
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]}}
    xylo.weights "inputs" {shift = 7 : i64, source = #nopt.array<[0] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[100] : tensor<1xi8>>}
  }
}

// -----

// Three layers have weights.
xylo.chip @net attributes {tick_ns = 1000000 : i64} {
  xylo.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0] : tensor<1xi32>>, channels = #nopt.array<[0] : tensor<1xi32>>} : tensor<1xi1> {
  ^bb0:
  }
  xylo.core 0 attributes {axons = 1 : i64} {
    xylo.weights "recurrent" {shift = 0 : i64, source = #nopt.array<[0] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[1] : tensor<1xi8>>}
    // expected-error @below {{[XYL001]: a layer has two lists of weights}}
    xylo.weights "recurrent" {shift = 2 : i64, source = #nopt.array<[1] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[100] : tensor<1xi8>>}
  }
}

// -----

// Sources, targets and currents exist: `source = [1]`.
xylo.chip @net attributes {tick_ns = 1000000 : i64} {
  xylo.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0] : tensor<1xi32>>, channels = #nopt.array<[0] : tensor<1xi32>>} : tensor<1xi1> {
  ^bb0:
  }
  xylo.core 0 attributes {axons = 1 : i64} {
    // expected-error @below {{[XYL001]: the source of a weight does not exist}}
    xylo.weights "input" {shift = 7 : i64, source = #nopt.array<[1] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[100] : tensor<1xi8>>}
  }
}

// -----

// Sources, targets and currents exist: `current = [1]`.
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]: a current does not exist}}
    xylo.weights "output" {shift = 2 : i64, source = #nopt.array<[1] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[1] : tensor<1xi32>>, weight = #nopt.array<[100] : tensor<1xi8>>}
  }
}

// -----

// A weight is not 0, is an integer of 8 bits, and has 16 bits after its shift: `weight = [0]`.
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]: a weight is 0}}
    xylo.weights "input" {shift = 7 : i64, source = #nopt.array<[0] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[0] : tensor<1xi8>>}
  }
}

// -----

// A weight is not 0, is an integer of 8 bits, and has 16 bits after its shift: `weight = [100]`.
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]: weights are invalid}}
    xylo.weights "input" {shift = 7 : i64, source = #nopt.array<[0] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[100] : tensor<1xi16>>}
  }
}

// -----

// Synapses are sorted, each once.
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]: weights are not sorted}}
    xylo.weights "recurrent" {shift = 0 : i64, source = #nopt.array<[0, 0] : tensor<2xi32>>, target = #nopt.array<[0, 0] : tensor<2xi32>>, current = #nopt.array<[0, 0] : tensor<2xi32>>, weight = #nopt.array<[1, 1] : tensor<2xi8>>}
  }
}
