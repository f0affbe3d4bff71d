// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Terminals are sorted, and a site of a neuron is listed once: `neuron = [0, 2, 1, 2]`.
// CHECK:      error[CHI001]: terminals are not sorted
// CHECK-NEXT:   at: neurogrid.terminals "fc1"
// CHECK-NEXT:   expected: each site of a neuron once, by neuron, core, synapse, row and column
// CHECK-NEXT:   found: another order
neurogrid.chip @net {
  neurogrid.input "x/0" of "x" at 0 : tensor<1xi1> {
    // expected-error @below {{[CHI001]}}
    neurogrid.terminals "fc1" {neuron = #nopt.array<[0, 2, 1, 2] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 1, 0] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
  }
}

// -----

// Terminals are sorted, and a site of a neuron is listed once: `column = [0, 0, 0, 1]`.
// CHECK:      error[CHI001]: terminals are not sorted
// CHECK-NEXT:   at: neurogrid.terminals "fc1"
// CHECK-NEXT:   expected: each site of a neuron once, by neuron, core, synapse, row and column
// CHECK-NEXT:   found: another order
neurogrid.chip @net {
  neurogrid.input "x/0" of "x" at 0 : tensor<1xi1> {
    // expected-error @below {{[CHI001]}}
    neurogrid.terminals "fc1" {neuron = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 1, 0] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
  }
}

// -----

// Each has at least one event, and all arrays have one shape: `events = [1, 0, 1, 1]`.
neurogrid.chip @net {
  neurogrid.input "x/0" of "x" at 0 : tensor<1xi1> {
    // expected-error @below {{[CHI001]: a terminal without events}}
    neurogrid.terminals "fc1" {neuron = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 1, 0] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, events = #nopt.array<[1, 0, 1, 1] : tensor<4xi8>>}
  }
}

// -----

// Each has at least one event, and all arrays have one shape: `events = [1, -2, 1, 1]`.
neurogrid.chip @net {
  neurogrid.input "x/0" of "x" at 0 : tensor<1xi1> {
    // expected-error @below {{[CHI001]: events has other numbers}}
    neurogrid.terminals "fc1" {neuron = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 1, 0] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, events = #nopt.array<[1, -2, 1, 1] : tensor<4xi8>>}
  }
}

// -----

// Each has at least one event, and all arrays have one shape: `row = [0, 0, 0]`.
neurogrid.chip @net {
  neurogrid.input "x/0" of "x" at 0 : tensor<1xi1> {
    // expected-error @below {{[CHI001]: row has another shape}}
    neurogrid.terminals "fc1" {neuron = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 1, 0] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0] : tensor<3xi32>>, column = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
  }
}

// -----

// Terminals have neither weights, nor delays, nor plasticity.
neurogrid.chip @net {
  neurogrid.input "x/0" of "x" at 0 : tensor<1xi1> {
    // expected-error @below {{[COR009]: neurogrid.terminals has no property 'weight'}}
    neurogrid.terminals "fc1" {weight = 0.5 : f64, neuron = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 1, 0] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
  }
}

// -----

// Terminals have neither weights, nor delays, nor plasticity.
neurogrid.chip @net {
  neurogrid.input "x/0" of "x" at 0 : tensor<1xi1> {
    // expected-error @below {{[COR009]: neurogrid.terminals has no property 'delay'}}
    neurogrid.terminals "fc1" {delay = 1 : i64, neuron = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 1, 0] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
  }
}

// -----

// Terminals have neither weights, nor delays, nor plasticity.
neurogrid.chip @net {
  neurogrid.input "x/0" of "x" at 0 : tensor<1xi1> {
    // expected-error @below {{[COR009]: neurogrid.terminals has no property 'plasticity'}}
    neurogrid.terminals "fc1" {plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>, neuron = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 1, 0] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
  }
}
