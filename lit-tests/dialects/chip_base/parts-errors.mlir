// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Indices are integers from 0.
// CHECK:      error[CHI001]: index has other numbers
// CHECK-NEXT:   at: loihi2.input "input/0"
// CHECK-NEXT:   expected: integers from 0
// CHECK-NEXT:   found: -1
// CHECK-NEXT:   help: compile the network again
loihi2.chip @net {
  // expected-error @below {{[CHI001]}}
  loihi2.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, -1] : tensor<2xi32>>} : tensor<2xi1> {
    loihi2.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
}

// -----

// Output axons are lists of the same length, of neurons of the group: `core = [0, 0]`.
// CHECK:      error[CHI001]: core has another shape
// CHECK-NEXT:   at: loihi2.output_axons
// CHECK-NEXT:   expected: [3]
loihi2.chip @net {
  loihi2.input "input/0" of "input" at 0 : tensor<2xi1> {
    // expected-error @below {{[CHI001]}}
    loihi2.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
}

// -----

// Output axons are lists of the same length, of neurons of the group: `neuron = [0, 1, 2]`.
// CHECK:      error[CHI002]: a destination belongs to no neuron
// CHECK-NEXT:   at: loihi2.output_axons
// CHECK-NEXT:   expected: a neuron below 2
// CHECK-NEXT:   found: 2
loihi2.chip @net {
  loihi2.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    // expected-error @below {{[CHI002]}}
    loihi2.output_axons {neuron = #nopt.array<[0, 1, 2] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
}

// -----

// The axons of a table ascend, and are those of the core: `axons = [1, 0]`.
// CHECK:      error[CHI001]: axons are not those of the core
// CHECK:        expected: ascending indices below 2
// CHECK-NEXT:   found: [1, 0]
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      loihi2.dense "fc1" {axons = #nopt.array<[1, 0] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// The axons of a table ascend, and are those of the core: `axons = [1]`.
// CHECK: error[CHI001]: axons are not those of the core
// CHECK:   expected: ascending indices below 1
loihi2.chip @net {
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[0] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<1xi1> {
      // expected-error @below {{[CHI001]}}
      loihi2.sparse "fc1" {axons = #nopt.array<[1] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// The delay of an output has one entry, or one for each neuron.
// CHECK: error[CHI002]: delay has another shape
// CHECK:   expected: [] or [3]
loihi2.chip @net {
  // expected-error @below {{[CHI002]}}
  loihi2.output "output" of "lif1" {delay = #nopt.array<[0, 1] : tensor<2xi64>>} : tensor<3xi1>
}
