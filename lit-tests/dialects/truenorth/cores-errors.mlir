// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A core has a type for each axon.
// CHECK:      error[CHI001]: types has another shape
// CHECK-NEXT:   at: truenorth.core
// CHECK-NEXT:   expected: [2]
// CHECK-NEXT:   found: [1]
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  // expected-error @below {{[CHI001]}}
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0] : tensor<1xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// A packet has a delay.
// CHECK:      error[CHI001]: delay has another shape
// CHECK-NEXT:   at: truenorth.packets
// CHECK-NEXT:   expected: [2]
// CHECK-NEXT:   found: [1]
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  truenorth.input "x/0" of "x" at 0 : tensor<1xi1> {
    // expected-error @below {{[CHI001]}}
    truenorth.packets {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[1] : tensor<1xi32>>}
  }
}

// -----

// An output has a row of the bus for each neuron.
// CHECK:      error[CHI001]: rows has another shape
// CHECK-NEXT:   at: truenorth.output "first"
// CHECK-NEXT:   expected: [2]
// CHECK-NEXT:   found: [1]
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  // expected-error @below {{[CHI001]}}
  truenorth.output "first" of "one" {delay = #nopt.array<0 : tensor<i64>>, rows = #nopt.array<[0] : tensor<1xi32>>} : tensor<2xi1>
}

// -----

// An axon without a sender, and a core that occurs twice.
// CHECK:      error[CHI003]: an axon has no sender
// CHECK-NEXT:   at: truenorth.core
// CHECK-NEXT:   expected: a sender for each axon
// CHECK-NEXT:   found: none for axon 2
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    truenorth.packets {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>}
  }
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  // expected-error @below {{[CHI003]}}
  truenorth.core 1 attributes {axons = 3 : i64, types = #nopt.array<[0, 0, 0] : tensor<3xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1, 0]] : tensor<1x3xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// An axon without a sender, and a core that occurs twice.
// CHECK:      error[CHI002]: two cores have the same number
// CHECK-NEXT:   at: truenorth.core
// CHECK-NEXT:   expected: each core once
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  // expected-error @below {{[CHI002]}}
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}
