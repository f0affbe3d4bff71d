// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A core counts its rows.
// CHECK:      error[CHI002]: axons are not the rows of the core
// CHECK-NEXT:   at: spinnaker.core
// CHECK-NEXT:   expected: 6
// CHECK-NEXT:   found: 5
spinnaker.chip @net {
  // expected-error @below {{[CHI002]}}
  spinnaker.core 0 attributes {axons = 5 : i64} {
    spinnaker.neurons "one/0" of "one" @cell attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, index_bits = 1 : i64, delay_bits = 0 : i64, params = {}, initial = {}, key = 4 : i64, mask = 4294967294 : i64, cores = #nopt.array<[1] : tensor<1xi32>>} : tensor<2xi1> {
      spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 2, 0, 268435456, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
      spinnaker.rows "fc1.inhibitory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 1073741826], [0, 0, 0, 0]] : tensor<3x4xi32>>}
    }
  }
}

// -----

// A core has one slice of a population.
// CHECK:      error[CHI012]: a core does not have one slice of a population
// CHECK-NEXT:   at: spinnaker.core
// CHECK-NEXT:   expected: 1 slice
// CHECK-NEXT:   found: 0
spinnaker.chip @net {
  // expected-error @below {{[CHI012]}}
  spinnaker.core 1 attributes {axons = 2 : i64} {
^bb1:
  }
}

// -----

// The bits of a word below the weight are 16.
// CHECK:      error[CHI002]: a word has other bits
// CHECK-NEXT:   at: spinnaker.neurons "one/0"
// CHECK-NEXT:   expected: index_bits + 1 + delay_bits of at most 16, the bits of a word below the weight
// CHECK-NEXT:   found: 17
spinnaker.chip @net {
  spinnaker.core 0 {
    // expected-error @below {{[CHI002]}}
    spinnaker.neurons "one/0" of "one" @cell attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, index_bits = 1 : i64, delay_bits = 15 : i64, params = {}, initial = {}, key = 4 : i64, mask = 4294967294 : i64, cores = #nopt.array<[1] : tensor<1xi32>>} : tensor<2xi1> {
      spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 2, 0, 268435456, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
    }
  }
}

// -----

// The bits of an index are those that the chip derives from the number of neurons: `index_bits = 0`.
// CHECK:      error[CHI002]: index_bits are not those of the neurons
// CHECK-NEXT:   at: spinnaker.neurons "one/0"
// CHECK-NEXT:   expected: index_bits = 1, for 2 neurons
// CHECK-NEXT:   found: 0
spinnaker.chip @net {
  spinnaker.core 0 {
    // expected-error @below {{[CHI002]}}
    spinnaker.neurons "one/0" of "one" @cell attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, index_bits = 0 : i64, delay_bits = 0 : i64, params = {}, initial = {}, key = 4 : i64, mask = 4294967294 : i64, cores = #nopt.array<[1] : tensor<1xi32>>} : tensor<2xi1> {
      spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 2, 0, 268435456, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
    }
  }
}

// -----

// The bits of an index are those that the chip derives from the number of neurons: `index_bits = 2`.
spinnaker.chip @net {
  spinnaker.core 0 {
    // expected-error @below {{[CHI002]: index_bits are not those of the neurons}}
    spinnaker.neurons "one/0" of "one" @cell attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, index_bits = 2 : i64, delay_bits = 0 : i64, params = {}, initial = {}, key = 4 : i64, mask = 4294967294 : i64, cores = #nopt.array<[1] : tensor<1xi32>>} : tensor<2xi1> {
      spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 2, 0, 268435456, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
    }
  }
}
