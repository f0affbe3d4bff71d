// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Reals are finite, and currents are those of the bias generator: 1 mA is not, and a decay of 1 needs a current of 0.
// CHECK:      error[CHI007]: i_dc is out of range
// CHECK:        expected: finite numbers
// CHECK-NEXT:   found: nan
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
    // expected-error @below {{[CHI007]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<"0x000000000000f87f" : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}

// -----

// Reals are finite, and currents are those of the bias generator: 1 mA is not, and a decay of 1 needs a current of 0.
// CHECK:      error[CHI007]: i_w is out of range
// CHECK:        expected: numbers above 0 up to 2.394e-06
// CHECK-NEXT:   found: 0.001
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
    // expected-error @below {{[CHI007]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<0.001 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}

// -----

// Reals are finite, and currents are those of the bias generator: 1 mA is not, and a decay of 1 needs a current of 0; here `decay_syn = 1.0`.
// CHECK: error[CHI007]: decay_syn is out of range
// CHECK:   expected: numbers above 0 below 1
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
    // expected-error @below {{[CHI007]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<1.0 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}

// -----

// The model computes what follows from the currents, and starts without charge.
// CHECK:      error[DSN007]: gain_mem does not follow from the circuit
// CHECK-NEXT:   at: dynapse.neurons "one/0"
// CHECK-NEXT:   expected: 4
// CHECK-NEXT:   found: 5
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
    // expected-error @below {{[DSN007]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<5.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}

// -----

// The model computes what follows from the currents, and starts without charge.
// CHECK:      error[DSN007]: imem does not follow from the circuit
// CHECK:        expected: 5e-13
// CHECK-NEXT:   found: 1e-12
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
    // expected-error @below {{[DSN007]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<1.0e-12 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}
