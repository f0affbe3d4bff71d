// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Synapses are sorted by neuron, then by tag; destinations by neuron: `tag = [4, 3, 3, 4]`.
// CHECK:      error[CHI001]: synapses are not sorted
// CHECK-NEXT:   at: dynapse.synapses
// CHECK-NEXT:   expected: by neuron, then by tag
// CHECK-NEXT:   found: another order
dynapse.chip @net {
  dynapse.core 1 {
    dynapse.neurons "two/0" of "two" @dynapse : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[4, 3, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Synapses are sorted by neuron, then by tag; destinations by neuron: `neuron = [0, 1, 0, 1]`.
// CHECK:      error[CHI001]: synapses are not sorted
// CHECK-NEXT:   at: dynapse.synapses
// CHECK-NEXT:   expected: by neuron, then by tag
// CHECK-NEXT:   found: another order
dynapse.chip @net {
  dynapse.core 1 {
    dynapse.neurons "two/0" of "two" @dynapse : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.synapses {neuron = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Synapses are sorted by neuron, then by tag; destinations by neuron: `neuron = [1, 0]`.
// CHECK:      error[CHI001]: destinations are not sorted
// CHECK-NEXT:   at: dynapse.destinations
// CHECK-NEXT:   expected: by neuron
dynapse.chip @net {
  dynapse.core 0 {
    dynapse.neurons "one/0" of "one" @dynapse : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.destinations {neuron = #nopt.array<[1, 0] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[2, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
}

// -----

// All columns have the same shape: `tag = [3, 4, 3]`.
// CHECK:      error[CHI001]: tag has another shape
// CHECK:        expected: [4]
// CHECK-NEXT:   found: [3]
dynapse.chip @net {
  dynapse.core 1 {
    dynapse.neurons "two/0" of "two" @dynapse : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3] : tensor<3xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// All columns have the same shape: `tag = [3]`.
// CHECK:      error[CHI001]: tag has another shape
// CHECK:        expected: [2]
// CHECK-NEXT:   found: [1]
dynapse.chip @net {
  dynapse.core 0 {
    dynapse.neurons "one/0" of "one" @dynapse : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[2, 2] : tensor<2xi32>>, tag = #nopt.array<[3] : tensor<1xi32>>}
    }
  }
}

// -----

// A mask selects a subset of four currents: 15 is the largest. A synapse is excitatory, 0, or inhibitory, 1; here `mask = [0, 2, 6, 15]` is accepted.
ntensor.update @dynapse <spike> inputs ["x"] states ["isyn", "imem", "v"] params ["i_tau_mem", "decay_syn", "charge_syn", "i_spkthr", "i_gain_mem", "gain_mem", "i_w", "gain_syn", "i_dc", "speed", "feed", "rest"] raw ["i_tau_mem", "decay_syn", "charge_syn", "i_spkthr", "i_gain_mem", "gain_mem", "i_w", "gain_syn", "i_dc", "speed", "feed", "rest"] derive {
^bb0(%dt: f64, %raw0: f64, %raw1: f64, %raw2: f64, %raw3: f64, %raw4: f64, %raw5: f64, %raw6: f64, %raw7: f64, %raw8: f64, %raw9: f64, %raw10: f64, %raw11: f64):
  ntensor.derived %raw0, %raw1, %raw2, %raw3, %raw4, %raw5, %raw6, %raw7, %raw8, %raw9, %raw10, %raw11 : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
} initial {
^bb0(%i_tau_mem_1: f64, %decay_syn_1: f64, %charge_syn_1: f64, %i_spkthr_1: f64, %i_gain_mem_1: f64, %gain_mem_1: f64, %i_w_1: f64, %gain_syn_1: f64, %i_dc_1: f64, %speed_1: f64, %feed_1: f64, %rest_1: f64):
  %170 = arith.constant 0.0 : f64
  ntensor.initial %170, %170, %170 : f64, f64, f64
} step {
^bb0(%x: !fixed.int<0, 1>, %isyn: f64, %imem: f64, %v: f64, %i_tau_mem_2: f64, %decay_syn_2: f64, %charge_syn_2: f64, %i_spkthr_2: f64, %i_gain_mem_2: f64, %gain_mem_2: f64, %i_w_2: f64, %gain_syn_2: f64, %i_dc_2: f64, %speed_2: f64, %feed_2: f64, %rest_2: f64):
  %isyn_1 = arith.constant 0.0 : f64
  %z = arith.constant true
  ntensor.emit %z, %isyn_1, %isyn_1, %isyn_1 : i1, f64, f64, f64
}
dynapse.chip @net attributes {tick_ns = 1000000 : i64} {
  dynapse.core 1 attributes {axons = 2 : i64} {
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.75 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[0, 1, 2, 255] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[0, 2, 6, 15] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A mask selects a subset of four currents: 15 is the largest. A synapse is excitatory, 0, or inhibitory, 1; here `mask = [8, 2, 6, 16]`.
// CHECK:      error[CHI001]: mask is out of range
// CHECK:        expected: a number below 16
// CHECK-NEXT:   found: 16
dynapse.chip @net {
  dynapse.core 1 {
    dynapse.neurons "two/0" of "two" @dynapse : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 16] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A mask selects a subset of four currents: 15 is the largest. A synapse is excitatory, 0, or inhibitory, 1; here `is_inhibitory = [0, 0, 0, 2]`.
// CHECK:      error[CHI001]: is_inhibitory is out of range
// CHECK:        expected: a number below 2
// CHECK-NEXT:   found: 2
dynapse.chip @net {
  dynapse.core 1 {
    dynapse.neurons "two/0" of "two" @dynapse : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 2] : tensor<4xi32>>}
    }
  }
}

// -----

// A mask selects a subset of four currents: 15 is the largest. A synapse is excitatory, 0, or inhibitory, 1; here `tag = [-1, 4, 3, 4]`.
// CHECK:      error[CHI001]: tag has other numbers
// CHECK:        expected: integers from 0
// CHECK-NEXT:   found: -1
dynapse.chip @net {
  dynapse.core 1 {
    dynapse.neurons "two/0" of "two" @dynapse : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[-1, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A destination has at least one core of its chip, and a mask of four cores: `cores = [15, 2]` is accepted.
ntensor.update @dynapse <spike> inputs ["x"] states ["isyn", "imem", "v"] params ["i_tau_mem", "decay_syn", "charge_syn", "i_spkthr", "i_gain_mem", "gain_mem", "i_w", "gain_syn", "i_dc", "speed", "feed", "rest"] raw ["i_tau_mem", "decay_syn", "charge_syn", "i_spkthr", "i_gain_mem", "gain_mem", "i_w", "gain_syn", "i_dc", "speed", "feed", "rest"] derive {
^bb0(%dt: f64, %raw0: f64, %raw1: f64, %raw2: f64, %raw3: f64, %raw4: f64, %raw5: f64, %raw6: f64, %raw7: f64, %raw8: f64, %raw9: f64, %raw10: f64, %raw11: f64):
  ntensor.derived %raw0, %raw1, %raw2, %raw3, %raw4, %raw5, %raw6, %raw7, %raw8, %raw9, %raw10, %raw11 : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
} initial {
^bb0(%i_tau_mem_1: f64, %decay_syn_1: f64, %charge_syn_1: f64, %i_spkthr_1: f64, %i_gain_mem_1: f64, %gain_mem_1: f64, %i_w_1: f64, %gain_syn_1: f64, %i_dc_1: f64, %speed_1: f64, %feed_1: f64, %rest_1: f64):
  %170 = arith.constant 0.0 : f64
  ntensor.initial %170, %170, %170 : f64, f64, f64
} step {
^bb0(%x: !fixed.int<0, 1>, %isyn: f64, %imem: f64, %v: f64, %i_tau_mem_2: f64, %decay_syn_2: f64, %charge_syn_2: f64, %i_spkthr_2: f64, %i_gain_mem_2: f64, %gain_mem_2: f64, %i_w_2: f64, %gain_syn_2: f64, %i_dc_2: f64, %speed_2: f64, %feed_2: f64, %rest_2: f64):
  %isyn_1 = arith.constant 0.0 : f64
  %z = arith.constant true
  ntensor.emit %z, %isyn_1, %isyn_1, %isyn_1 : i1, f64, f64, f64
}
dynapse.chip @net attributes {tick_ns = 1000000 : i64} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[15, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
}

// -----

// A destination has at least one core of its chip, and a mask of four cores: `cores = [0, 2]`.
// CHECK:      error[CHI001]: cores is out of range
// CHECK:        expected: 1 to 15
// CHECK-NEXT:   found: 0 to 2
dynapse.chip @net {
  dynapse.core 0 {
    dynapse.neurons "one/0" of "one" @dynapse : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[0, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
}

// -----

// A destination has at least one core of its chip, and a mask of four cores: `cores = [16, 2]`.
// CHECK:      error[CHI001]: cores is out of range
// CHECK:        expected: 1 to 15
// CHECK-NEXT:   found: 2 to 16
dynapse.chip @net {
  dynapse.core 0 {
    dynapse.neurons "one/0" of "one" @dynapse : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[16, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
}

// -----

// Both belong to neurons of their group, or to entries of their input: `neuron = [0, 0, 1, 2]`.
// CHECK:      error[CHI001]: neuron is not in the group
// CHECK:        expected: a neuron below 2
// CHECK-NEXT:   found: 2
dynapse.chip @net {
  dynapse.core 1 {
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}, currents = #nopt.array<[0, 1, 2, 255] : tensor<4xi32>>} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// Both belong to neurons of their group, or to entries of their input: `neuron = [0, 2]`.
// CHECK:      error[CHI001]: a destination belongs to no neuron
// CHECK:        expected: a neuron below 2
// CHECK-NEXT:   found: 2
dynapse.chip @net {
  dynapse.core 0 {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      dynapse.destinations {neuron = #nopt.array<[0, 2] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[2, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
}

// -----

// Both belong to neurons of their group, or to entries of their input: `neuron = [0, 1, 3]`.
// CHECK:      error[CHI001]: a destination belongs to no neuron
// CHECK:        expected: a neuron below 3
// CHECK-NEXT:   found: 3
dynapse.chip @net {
  dynapse.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<1xi1> {
    // expected-error @below {{[CHI001]}}
    dynapse.destinations {neuron = #nopt.array<[0, 1, 3] : tensor<3xi32>>, chip = #nopt.array<[0, 0, 0] : tensor<3xi32>>, cores = #nopt.array<[1, 1, 1] : tensor<3xi32>>, tag = #nopt.array<[0, 1, 2] : tensor<3xi32>>}
  }
}
