// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A switch of the crossbar is one bit.
// CHECK:      error[TRN001]: a switch of the crossbar is not 0 or 1
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: 0 or 1
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN001]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 2], [0, 2]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// The crossbar has a row for each row of the group, and a column for each axon of the core.
// CHECK:      error[CHI001]: crossbar has another shape
// CHECK-NEXT:   at: truenorth.neurons "two/0"
// CHECK-NEXT:   expected: [1, 2]
// CHECK-NEXT:   found: [1, 1]
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    // expected-error @below {{[CHI001]}}
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1]] : tensor<1x1xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// All parameters are present, and in their range: `leak_reversal = 0`.
// CHECK:      error[TRN001]: the parameters are not those of a row
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: leak, leak_reversal, threshold, negative_threshold, reset_potential, reset_mode, negative_mode, random_weights, random_leak, threshold_mask
// CHECK-NEXT:   found: leak_reversal, threshold, negative_threshold, reset_potential, reset_mode, negative_mode, random_weights, random_leak, threshold_mask
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  truenorth.core 0 {
    // expected-error @below {{[TRN001]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// All parameters are present, and in their range: `reset_mode = 3`.
// CHECK:      error[TRN001]: reset_mode is out of range
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: 0 to 2
// CHECK-NEXT:   found: 3
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  truenorth.core 0 {
    // expected-error @below {{[TRN001]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<3 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// All parameters are present, and in their range: `leak = -1.5`.
// CHECK:      error[TRN001]: leak is out of range
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: -2147483648 to 2147483647
// CHECK-NEXT:   found: numbers of f32
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  truenorth.core 0 {
    // expected-error @below {{[TRN001]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1.5 : tensor<f32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A copy of a neuron differs in its destination alone.
// CHECK:      error[TRN001]: the copies of a neuron differ
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: threshold of row 0
// CHECK-NEXT:   found: another in row 1
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN001]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 8, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// An axon of a type that a neuron has no weight for.
// CHECK:      error[TRN001]: an axon has a type without weights
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: a type below 1
// CHECK-NEXT:   found: 1
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN001]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7], [7], [0], [0]] : tensor<4x1xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A destination of a row that the group does not have.
// CHECK:      error[CHI002]: a destination belongs to no row
// CHECK-NEXT:   at: truenorth.destinations
// CHECK-NEXT:   expected: a row below 1
// CHECK-NEXT:   found: 1
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net {
  truenorth.core 1 {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      // expected-error @below {{[CHI002]}}
      truenorth.destinations {row = #nopt.array<[1] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// Weights are integers.
truenorth.chip @net {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[CHI001]: weights has other numbers}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xf32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    // expected-error @below {{[CHI001]: weights has other numbers}}
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xf32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}
