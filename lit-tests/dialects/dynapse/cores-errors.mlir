// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// All groups of a core have the currents of the first.
// RUN: mutate '/^  dynapse.core 1/,/^  }/d' '/^      dynapse.destinations {neuron = #nopt.array<\[0, 1\]/,+1d' %S/inputs/dynapse.mlir > %t.one
// RUN: mutate '/^  dynapse.core 1/,/^  }/!d' '/dynapse.core/d' '/^  }/d' 's/\[3, 4, 3, 4\]/[2, 3, 2, 3]/' %S/inputs/dynapse.mlir > %t.two
// RUN: mutate 's/axons = 3/axons = 4/' '/^      dynapse.synapses/r %t.two' %t.one | mutate 's/^    dynapse.neurons "two/    }\n&/' - > %t.both

// -----

// A core counts the tags that its synapses read.
// CHECK:      error[CHI002]: axons are not the tags of the core
// CHECK-NEXT:   at: dynapse.core
// CHECK-NEXT:   expected: 3
// CHECK-NEXT:   found: 5
dynapse.chip @net {
  // expected-error @below {{[CHI002]}}
  dynapse.core 0 attributes {axons = 5 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
}

// -----

// A current has 0 to 255 steps, and a core has four: `currents = [255, 255, 255, 0]` is accepted.
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
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.75 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[255, 255, 255, 0] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A current has 0 to 255 steps, and a core has four: `currents = [0, 1, 2, 256]`.
// CHECK:      error[DSN001]: currents of weights are inconsistent
// CHECK-NEXT:   at: dynapse.neurons "two/0"
// CHECK-NEXT:   expected: 0 to 255 steps
// CHECK-NEXT:   found: 0 to 256
// CHECK-NEXT:   help: compile the network again
dynapse.chip @net {
  dynapse.core 1 {
    // expected-error @below {{[DSN001]}}
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}, currents = #nopt.array<[0, 1, 2, 256] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A current has 0 to 255 steps, and a core has four: `currents = [-1, 1, 2, 255]`.
// CHECK:      error[DSN001]
// CHECK:        expected: 0 to 255 steps
// CHECK-NEXT:   found: -1 to 255
dynapse.chip @net {
  dynapse.core 1 {
    // expected-error @below {{[DSN001]}}
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}, currents = #nopt.array<[-1, 1, 2, 255] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A current has 0 to 255 steps, and a core has four: `currents = [0, 1, 2]`.
// CHECK:      error[DSN001]
// CHECK:        expected: 4 integers
// CHECK-NEXT:   found: int32 of shape [3]
dynapse.chip @net {
  dynapse.core 1 {
    // expected-error @below {{[DSN001]}}
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}, currents = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A current has 0 to 255 steps, and a core has four: `currents = [0.0, 1.0, 2.0, 255.0]`.
// CHECK:      error[DSN001]
// CHECK:        expected: 4 integers
// CHECK-NEXT:   found: float32 of shape [4]
dynapse.chip @net {
  dynapse.core 1 {
    // expected-error @below {{[DSN001]}}
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}, currents = #nopt.array<[0.0, 1.0, 2.0, 255.0] : tensor<4xf32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// All groups of a core have the currents of the first.
// CHECK:      error[DSN001]: a core has other currents
// CHECK-NEXT:   at: dynapse.neurons "two/0"
// CHECK-NEXT:   expected: [17, 34, 68, 136]
// CHECK-NEXT:   found: [0, 1, 2, 255]
// CHECK-NEXT:   help: compile the network again
dynapse.chip @net {
  dynapse.core 0 attributes {axons = 4 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
    // expected-error @below {{[DSN001]}}
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}, currents = #nopt.array<[0, 1, 2, 255] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[2, 3, 2, 3] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// With the same currents, the parameters of the core differ: it has one decay for both.
// CHECK:      error[DEV016]: classes of biases 2 exceed the limit 1
// CHECK-NEXT:   at: dynapse.core
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
  // expected-error @below {{[DEV016]}}
  // expected-note @below {{it serves one, two}}
  dynapse.core 0 attributes {axons = 4 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.75 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[2, 3, 2, 3] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}

// -----

// A parameter is one number, or one for each neuron.
// CHECK:      error[CHI002]: parameter i_spkthr has another shape
// CHECK-NEXT:   at: dynapse.neurons "one/0"
// CHECK-NEXT:   expected: [] or [2]
// CHECK-NEXT:   found: [3]
dynapse.chip @net {
  dynapse.core 0 {
    // expected-error @below {{[CHI002]}}
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_spkthr = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf64>>}, initial = {}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
    }
  }
  dynapse.core 1 {
    // expected-error @below {{[CHI002]}}
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_spkthr = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf64>>}, initial = {}, currents = #nopt.array<[0, 1, 2, 255] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
}
