// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A whole core has 256 rows and 256 axons.
// RUN: python %S/inputs/full_core.py 256 256 | nopt - -o /dev/null
// RUN: python %S/inputs/full_core.py 257 256 | not nopt - 2>&1 | filecheck %s --check-prefix=MANYROWS
// RUN: python %S/inputs/full_core.py 256 257 | not nopt - 2>&1 | filecheck %s --check-prefix=MANYAXONS
// MANYROWS:      error[DEV016]: neurons 257 exceed the limit 256
// MANYROWS-NEXT:   at: truenorth.neurons "one/0"
// MANYROWS-NEXT:   expected: at most 256 neurons (truenorth/ns1e, core.neurons: {{.*}})
// MANYROWS-NEXT:   found: 257 neurons
// MANYAXONS:      error[DEV016]: input axons 257 exceed the limit 256
// MANYAXONS-NEXT:   at: truenorth.neurons "one/0"
// MANYAXONS-NEXT:   expected: at most 256 axons (truenorth/ns1e, core.input_axons: {{.*}})
// MANYAXONS-NEXT:   found: 257 axons
// MANYAXONS:        note: fan-in: at most 256 synapses (truenorth/ns1e, core.fan_in: {{.*}}), found 257 synapses

// -----

// A destination is an axon of a core, or a row of the output bus; dx and dy lead to it: `axon = [0, 0, 2, 1]`.
// CHECK:      error[TRN002]: a spike has no destination on the chip
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: an axon of one of 0, 1
// CHECK-NEXT:   found: axon 2 of core 1
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN002]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 2, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// A destination is an axon of a core, or a row of the output bus; dx and dy lead to it: `dx = [1, 0, 2, 0]`.
// CHECK:      error[TRN002]: a spike has no destination on the chip
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: an axon of one of 0, 1
// CHECK-NEXT:   found: axon 1 of core 2
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN002]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 2, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// A destination is an axon of a core, or a row of the output bus; dx and dy lead to it: `dx = [-1, 0, 1, 0]`.
// CHECK:      error[TRN002]: a spike has no destination on the chip
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: an offset to a core, or to the output bus
// CHECK-NEXT:   found: row 0 sends beyond the chip
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN002]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[-1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Two senders on one axon could spike in the same tick, which would count once.
// CHECK:      error[TRN003]: spikes merge on axon 1 of core 1
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: one sender of each axon, since truenorth/ns1e counts spikes of one axon and tick once (truenorth/ns1e, core.merges_spikes)
// CHECK-NEXT:   found: neuron 0 of one and neuron 1 of one
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN003]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[1, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// Registers have the widths of the memory row: 9 bits of leak, 18 of threshold, 20 of potential; the last values fit; here `leak = -257`.
// CHECK:      error[TRN004]: leak is beyond its register of 9 bits
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: -256 to 255 (truenorth/ns1e, core.images.rows.word: leak:9)
// CHECK-NEXT:   found: -257
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN004]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-257 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Registers have the widths of the memory row: 9 bits of leak, 18 of threshold, 20 of potential; the last values fit; here `leak = -256` is accepted.
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    truenorth.packets {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>}
  }
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-256 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// Registers have the widths of the memory row: 9 bits of leak, 18 of threshold, 20 of potential; the last values fit; here `threshold = [9, 9, 262144, 262144]`.
// CHECK:      error[TRN004]: threshold is beyond its register of 18 bits
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: 0 to 262143 (truenorth/ns1e, core.images.rows.word: threshold:18)
// CHECK-NEXT:   found: 262144
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN004]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 262144, 262144] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Registers have the widths of the memory row: 9 bits of leak, 18 of threshold, 20 of potential; the last values fit; here `threshold = [9, 9, 262143, 262143]` is accepted.
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    truenorth.packets {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>}
  }
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 262143, 262143] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// Registers have the widths of the memory row: 9 bits of leak, 18 of threshold, 20 of potential; the last values fit; here `potential = 524288`.
// CHECK:      error[TRN004]: potential is beyond its register of 20 bits
// CHECK-NEXT:   at: truenorth.neurons "two/0"
// CHECK-NEXT:   expected: -524288 to 524287 (truenorth/ns1e, core.images.rows.word: potential:20)
// CHECK-NEXT:   found: 524288
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    // expected-error @below {{[TRN004]}}
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<524288 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// Registers have the widths of the memory row: 9 bits of leak, 18 of threshold, 20 of potential; the last values fit.
// CHECK:      error[TRN004]: threshold is beyond its register of 8 bits
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: 0 to 255 (truenorth/ranc, core.images.rows.word: threshold:8)
// CHECK-NEXT:   found: 300
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 9 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 5] : tensor<2xi32>>, machine.device = "truenorth/ranc"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN004]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<256 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 5, 0, 5] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A core has four types of axons.
// CHECK:      error[TRN005]: a core needs more types of axons than truenorth/ns1e has
// CHECK-NEXT:   at: truenorth.core
// CHECK-NEXT:   expected: at most 4 types, a weight of each neuron for each (truenorth/ns1e, core.crossbar.axon_types: {{.*}})
// CHECK-NEXT:   found: 5 types
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  // expected-error @below {{[TRN005]}}
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 4] : tensor<2xi32>>} {
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, 0, 0, 0, -3], [7, 0, 0, 0, -3], [0, 0, 0, 0, 255], [0, 0, 0, 0, 255]] : tensor<4x5xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A row has one destination; a second one needs a copy of the neuron.
// CHECK:      error[TRN006]: a row has too many destinations
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: at most 1 axons, and further rows for copies of the neuron (truenorth/ns1e, core.destinations: {{.*}})
// CHECK-NEXT:   found: 2 axons
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN006]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 0, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Offsets have 9 bits.
// CHECK:      error[TRN007]: a destination is out of reach
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: offsets up to 63 (truenorth/ns1e, topology.routers.reach: set by the user)
// CHECK-NEXT:   found: 64
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.set = ["topology.routers.reach=63"], machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[TRN007]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Offsets have 9 bits.
// This is accepted.
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.set = ["topology.routers.reach=64"], machine.device = "truenorth/ns1e"} {
  truenorth.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    truenorth.packets {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>}
  }
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// Delays are 1 to 15 ticks: `tick = [0, 1, 15, 1]`.
// CHECK:      error[CHI005]: delay below the minimum of truenorth/ns1e
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: at least 1 ticks (truenorth/ns1e, synapse.delay.min: {{.*}})
// CHECK-NEXT:   found: 0 ticks
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[CHI005]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[0, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Delays are 1 to 15 ticks: `tick = [1, 1, 16, 1]`.
// CHECK:      error[DEV016]: delay 16 exceeds the limit 15
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: at most 15 ticks (truenorth/ns1e, synapse.delay.max: {{.*}})
// CHECK-NEXT:   found: 16 ticks
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[DEV016]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 16, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Weights have 9 bits.
// CHECK:      error[DEV016]: weight bits 10 exceed the limit 9
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: at most 9 bits (truenorth/ns1e, synapse.bits: {{.*}})
// CHECK-NEXT:   found: 10 bits
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[DEV016]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 256, 0, 0], [0, 256, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Weights have 9 bits.
// This is accepted.
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    truenorth.packets {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>}
  }
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, -256, 0, 0], [0, -256, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// A core has limits for rows, axons and synapses of a neuron.
// CHECK:      error[DEV016]: neurons 4 exceed the limit 3
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: at most 3 neurons (truenorth/ns1e, core.neurons: set by the user)
// CHECK-NEXT:   found: 4 neurons
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.set = ["core.neurons=3"], machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[DEV016]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A core has limits for rows, axons and synapses of a neuron.
// CHECK:      error[DEV016]: input axons 2 exceed the limit 1
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: at most 1 axon (truenorth/ns1e, core.input_axons: set by the user)
// CHECK-NEXT:   found: 2 axons
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.set = ["core.input_axons=1"], machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[DEV016]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A core has limits for rows, axons and synapses of a neuron.
// CHECK:      error[DEV016]: fan-in 2 exceeds the limit 1
// CHECK-NEXT:   at: truenorth.neurons "one/0"
// CHECK-NEXT:   expected: at most 1 synapse (truenorth/ns1e, core.fan_in: set by the user)
// CHECK-NEXT:   found: 2 synapses
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.set = ["core.fan_in=1"], machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    // expected-error @below {{[DEV016]}}
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Outputs leave at the rows of the bus that their neurons send to.
// CHECK:      error[TRN002]: an output is not sent
// CHECK-NEXT:   at: truenorth.output "y"
// CHECK-NEXT:   expected: row 3 of the output bus
// CHECK-NEXT:   found: 2 for neuron 0
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
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
  // expected-error @below {{[TRN002]}}
  truenorth.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>, rows = #nopt.array<[3] : tensor<1xi32>>} : tensor<1xi1>
}

// -----

// The device has 4096 cores.
// CHECK:      error[CHI003]: the device has no such core
// CHECK-NEXT:   at: truenorth.input "x/0"
// CHECK-NEXT:   expected: a usable core below 4096
// CHECK-NEXT:   found: 4096
// CHECK-NEXT:   help: compile the network again
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  // expected-error @below {{[CHI003]}}
  truenorth.input "x/0" of "x" at 4096 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    truenorth.packets {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>}
  }
}

// -----

// Switches of the chip have few values: `overflow = "grow"`.
// CHECK:      error[CHI002]: overflow is invalid
// CHECK-NEXT:   at: truenorth.chip @net
// CHECK-NEXT:   expected: saturate or wrap
// CHECK-NEXT:   found: grow
// CHECK-NEXT:   help: compile the network again
// expected-error @below {{[CHI002]}}
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "grow", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>} {
  truenorth.output "first" of "one" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
}

// -----

// Switches of the chip have few values: `neuron_reset_type = 2`.
// CHECK:      error[CHI002]: neuron_reset_type is invalid
// CHECK-NEXT:   at: truenorth.chip @net
// CHECK-NEXT:   expected: 0 or 1
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: compile the network again
// expected-error @below {{[CHI002]}}
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 2 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>} {
  truenorth.output "first" of "one" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
}

// -----

// The width of potentials is that of the register.
// expected-error @below {{[TRN004]: potential_bits are not those of the register}}
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 21 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<1 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
}
