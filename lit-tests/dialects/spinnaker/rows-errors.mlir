// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A row counts its synapses, and has no plastic data.
// CHECK:      error[SPN001]: a synaptic row is not one of the chip
// CHECK-NEXT:   at: spinnaker.rows "fc1.excitatory"
// CHECK-NEXT:   expected: no plastic data, and at most 2 synapses
// CHECK-NEXT:   found: another header
spinnaker.chip @net {
  spinnaker.core 0 {
    spinnaker.neurons "one/0" of "one" @cell : tensor<2xi1> {
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 3, 0, 268435456, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
    }
  }
}

// -----

// A row counts its synapses, and has no plastic data.
// CHECK:      error[SPN001]: a synaptic row is not one of the chip
// CHECK-NEXT:   at: spinnaker.rows "fc1.excitatory"
// CHECK-NEXT:   expected: no plastic data, and at most 2 synapses
// CHECK-NEXT:   found: another header
spinnaker.chip @net {
  spinnaker.core 0 {
    spinnaker.neurons "one/0" of "one" @cell : tensor<2xi1> {
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<[[1, 2, 0, 268435456, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
    }
  }
}

// -----

// A mask keeps the highest bits of a key, and its other bits are enough for the neurons.
// CHECK:      error[SPN001]
// CHECK:        expected: a key of 32 bits, and a mask of its highest bits
// CHECK-NEXT:   found: key 0x1, mask 0xfffffffc
spinnaker.chip @net {
  // expected-error @below {{[SPN001]}}
  spinnaker.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>, key = 1 : i64, mask = 4294967292 : i64, cores = #nopt.array<[0] : tensor<1xi32>>} : tensor<3xi1> {
  ^bb0:
  }
  spinnaker.core 0 {
    spinnaker.neurons "one/0" of "one" @cell : tensor<2xi1> {
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc1.excitatory" {key = 1 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 2, 0, 268435456, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc1.inhibitory" {key = 1 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 1073741826], [0, 0, 0, 0]] : tensor<3x4xi32>>}
    }
  }
}

// -----

// A mask keeps the highest bits of a key, and its other bits are enough for the neurons.
// CHECK:      error[SPN001]
// CHECK:        expected: at most 2 neurons
// CHECK-NEXT:   found: 3
spinnaker.chip @net {
  // expected-error @below {{[SPN001]}}
  spinnaker.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>, key = 0 : i64, mask = 4294967294 : i64, cores = #nopt.array<[0] : tensor<1xi32>>} : tensor<3xi1> {
  ^bb0:
  }
  spinnaker.core 0 {
    spinnaker.neurons "one/0" of "one" @cell : tensor<2xi1> {
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967294 : i64, words = #nopt.array<[[0, 2, 0, 268435456, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc1.inhibitory" {key = 0 : i64, mask = 4294967294 : i64, words = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 1073741826], [0, 0, 0, 0]] : tensor<3x4xi32>>}
    }
  }
}

// -----

// Words have 32 bits.
// CHECK:      error[SPN001]
// CHECK:        expected: i32 of shape [rows, 3 or more]
// CHECK-NEXT:   found: int64 of shape [3, 4]
spinnaker.chip @net {
  spinnaker.core 0 {
    spinnaker.neurons "one/0" of "one" @cell : tensor<2xi1> {
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc1.inhibitory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 1073741826], [0, 0, 0, 0]] : tensor<3x4xi64>>}
    }
  }
}
