// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A neuron has four destinations: five are too many. The host sends events of inputs to any number.
// RUN: mutate '/dynapse.input/,/^  }/s/\[0, 1, 2\] : tensor<3xi32>>, chip = #nopt.array<\[0, 0, 0\] : tensor<3xi32>>, cores = #nopt.array<\[1, 1, 1\] : tensor<3xi32>>, tag = #nopt.array<\[0, 1, 2\] : tensor<3xi32>>/[0, 0, 0, 0, 0] : tensor<5xi32>>, chip = #nopt.array<[0, 0, 0, 0, 0] : tensor<5xi32>>, cores = #nopt.array<[1, 1, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 2, 3, 4] : tensor<5xi32>>/' %S/inputs/dynapse.mlir | nopt - | filecheck %s --check-prefix=HOST
// HOST:              dynapse.destinations {neuron = #nopt.array<[0, 0, 0, 0, 0] : tensor<5xi32>>

// A tag has 11 bits: 2047 is one, 2048 is not, in destinations and in synapses.
// RUN: mutate 's/tag = #nopt.array<\[3, 4\]/tag = #nopt.array<[3, 2047]/' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/tag = #nopt.array<\[3, 4, 3, 4\]/tag = #nopt.array<[3, 2047, 3, 2047]/' %S/inputs/dynapse.mlir | nopt - -o /dev/null

// -----

// A neuron has four destinations: five are too many. The host sends events of inputs to any number.
// This is accepted.
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 0, 0, 0, 1] : tensor<5xi32>>, chip = #nopt.array<[0, 0, 0, 0, 0] : tensor<5xi32>>, cores = #nopt.array<[2, 4, 4, 4, 2] : tensor<5xi32>>, tag = #nopt.array<[3, 5, 6, 7, 4] : tensor<5xi32>>}
    }
  }
}

// -----

// A neuron has four destinations: five are too many. The host sends events of inputs to any number.
// CHECK:      error[DSN002]: a neuron has too many destinations
// CHECK-NEXT:   at: dynapse.neurons "one/0"
// CHECK-NEXT:   expected: at most 4 (dynapse/se2, features.destinations: {{.*}})
// CHECK-NEXT:   found: 5
// CHECK-NEXT:   help: compile the network again
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    // expected-error @below {{[DSN002]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 0, 0, 0, 0] : tensor<5xi32>>, chip = #nopt.array<[0, 0, 0, 0, 0] : tensor<5xi32>>, cores = #nopt.array<[2, 4, 4, 4, 2] : tensor<5xi32>>, tag = #nopt.array<[3, 5, 6, 7, 4] : tensor<5xi32>>}
    }
  }
}

// -----

// A tag has 11 bits: 2047 is one, 2048 is not, in destinations and in synapses; here `tag = [3, 2048]`.
// CHECK:      error[DSN003]: a tag does not exist
// CHECK-NEXT:   at: dynapse.neurons "one/0"
// CHECK-NEXT:   expected: a tag below 2048 (dynapse/se2, features.tags: {{.*}})
// CHECK-NEXT:   found: 2048
// CHECK-NEXT:   help: compile the network again
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    // expected-error @below {{[DSN003]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[2, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 2048] : tensor<2xi32>>}
    }
  }
}

// -----

// A tag has 11 bits: 2047 is one, 2048 is not, in destinations and in synapses; here `tag = [3, 2048, 3, 2048]`.
// CHECK:      error[DSN003]: a tag does not exist
// CHECK-NEXT:   at: dynapse.core
// CHECK:        found: 2048
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  // expected-error @below {{[DSN003]}}
  dynapse.core 1 attributes {axons = 2 : i64} {
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.75 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[0, 1, 2, 255] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 2048, 3, 2048] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A destination names a chip of the device: chip 1 exists on a board of two chips; here `chip = [0, 1]`.
// CHECK:      error[DSN004]: a destination does not exist
// CHECK-NEXT:   at: dynapse.neurons "one/0"
// CHECK-NEXT:   expected: a chip below 1 (dynapse/se2, topology.chips: {{.*}})
// CHECK-NEXT:   found: 1
// CHECK-NEXT:   help: compile the network again
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    // expected-error @below {{[DSN004]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 1] : tensor<2xi32>>, cores = #nopt.array<[2, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
}

// -----

// A destination names a chip of the device: chip 1 exists on a board of two chips.
// This is accepted.
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.set = ["topology.chips=2","topology.cores=8","topology.chip_mesh.width=2"], machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 1] : tensor<2xi32>>, cores = #nopt.array<[2, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
}

// -----

// A mask names cores of a chip: 8 names core 3 alone. On a chip of three cores, 4 is the last; here `cores = [8, 15]` is accepted.
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[8, 15] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
}

// -----

// A mask names cores of a chip: 8 names core 3 alone. On a chip of three cores, 4 is the last.
// This is accepted.
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.set = ["topology.cores=3","topology.mesh.cores=3"], machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[7, 4] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
}

// -----

// A mask names cores of a chip: 8 names core 3 alone. On a chip of three cores, 4 is the last.
// CHECK:      error[DSN004]: a destination does not exist
// CHECK-NEXT:   at: dynapse.neurons "one/0"
// CHECK-NEXT:   expected: a core below 3 of a chip (dynapse/se2, topology.cores: {{.*}})
// CHECK-NEXT:   found: 3
// CHECK-NEXT:   help: compile the network again
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.set = ["topology.cores=3","topology.mesh.cores=3"], machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    // expected-error @below {{[DSN004]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[7, 8] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
}

// -----

// The device has 4 cores.
// This is accepted.
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  dynapse.core 3 attributes {axons = 2 : i64} {
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.75 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[0, 1, 2, 255] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// The device has 4 cores.
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  // expected-error @below {{[CHI003]: the device has no such core}}
  dynapse.core 4 attributes {axons = 2 : i64} {
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.75 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[0, 1, 2, 255] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A core has 256 neurons, and a neuron 64 synapses; here they are 2 and 3.
// This is accepted.
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.set = ["core.neurons=2","core.fan_in=3"], machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}

// -----

// A core has 256 neurons, and a neuron 64 synapses; here they are 2 and 3.
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.set = ["core.neurons=1"], machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    // expected-error @below {{[DEV016]: neurons 2 exceed the limit 1}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}

// -----

// A core has 256 neurons, and a neuron 64 synapses; here they are 2 and 3.
// CHECK:      error[DEV016]: fan-in 3 exceeds the limit 2
// CHECK:        expected: at most 2 synapses (dynapse/se2, core.fan_in: set by the user)
// CHECK-NEXT:   found: 3 synapses
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.set = ["core.fan_in=2"], machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    // expected-error @below {{[DEV016]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}

// -----

// The groups of a core have the parameters that it has one of.
// This is accepted.
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<[1.0e-11, 1.0e-11] : tensor<2xf64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}

// -----

// The groups of a core have the parameters that it has one of.
// CHECK:      error[DEV016]: classes of biases 2 exceed the limit 1
// CHECK-NEXT:   at: dynapse.neurons "one/0"
// CHECK-NEXT:   expected: at most 1 class (dynapse/se2, core.shared.biases.classes: {{.*}})
// CHECK-NEXT:   found: 2 classes
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
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  dynapse.core 0 attributes {axons = 3 : i64} {
    // expected-error @below {{[DEV016]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<[1.0e-11, 2.0e-11] : tensor<2xf64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}
