// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// The parameters are those of a soma and of up to four synapse populations, and the states are theirs: `tau_d = 0.001`.
// CHECK:      error[CHI013]: the neurons are not those of the chip
// CHECK-NEXT:   at: neurogrid.somas "one/0"
// CHECK-NEXT:   expected: dt, tau_s, tau_k, tau_d, i_in, g_inf, g_res, v_reset, lasts, and tau, e, sat, rise of at most 4 synapse populations
// CHECK-NEXT:   found: tau_s, tau_d, {{.*}}
// CHECK-NEXT:   help: compile the network again
neurogrid.chip @net {
  neurogrid.core 0 {
    // expected-error @below {{[CHI013]}}
    neurogrid.somas "one/0" of "one" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, row = #nopt.array<[0, 0] : tensor<2xi32>>, column = #nopt.array<[0, 1] : tensor<2xi32>>, params = {tau_s = #nopt.array<0.02 : tensor<f64>>, tau_d = #nopt.array<0.001 : tensor<f64>>, i_in = #nopt.array<0.0 : tensor<f64>>, g_inf = #nopt.array<0.0 : tensor<f64>>, g_res = #nopt.array<0.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, lasts = #nopt.array<0 : tensor<i64>>, tau_exc = #nopt.array<0.001 : tensor<f64>>, e_exc = #nopt.array<100.0 : tensor<f64>>, rise_exc = #nopt.array<1.0e-06 : tensor<f64>>, sat_exc = #nopt.array<400.0 : tensor<f64>>, tau_inh = #nopt.array<0.001 : tensor<f64>>, e_inh = #nopt.array<-20.0 : tensor<f64>>, rise_inh = #nopt.array<1.0e-06 : tensor<f64>>, sat_inh = #nopt.array<1000.0 : tensor<f64>>, dt = #nopt.array<0.001 : tensor<f64>>}, initial = {}, arbors = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> {
      neurogrid.terminals "fc2" {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, core = #nopt.array<[1, 1, 1, 1] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 1, 0] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
    }
  }
}

// -----

// The parameters are those of a soma and of up to four synapse populations, and the states are theirs: `g_k = 0.0`.
// CHECK:      error[CHI013]
// CHECK:        expected: states g_exc, g_inh, g_k, left_exc, left_inh, v, v_d, wait
// CHECK-NEXT:   found: left_exc, g_exc, left_inh, g_inh, g_k, v, wait
neurogrid.chip @net {
  neurogrid.core 0 {
    // expected-error @below {{[CHI013]}}
    neurogrid.somas "one/0" of "one" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, row = #nopt.array<[0, 0] : tensor<2xi32>>, column = #nopt.array<[0, 1] : tensor<2xi32>>, params = {tau_s = #nopt.array<0.02 : tensor<f64>>, tau_k = #nopt.array<0.001 : tensor<f64>>, tau_d = #nopt.array<0.001 : tensor<f64>>, i_in = #nopt.array<0.0 : tensor<f64>>, g_inf = #nopt.array<0.0 : tensor<f64>>, g_res = #nopt.array<0.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, lasts = #nopt.array<0 : tensor<i64>>, tau_exc = #nopt.array<0.001 : tensor<f64>>, e_exc = #nopt.array<100.0 : tensor<f64>>, rise_exc = #nopt.array<1.0e-06 : tensor<f64>>, sat_exc = #nopt.array<400.0 : tensor<f64>>, tau_inh = #nopt.array<0.001 : tensor<f64>>, e_inh = #nopt.array<-20.0 : tensor<f64>>, rise_inh = #nopt.array<1.0e-06 : tensor<f64>>, sat_inh = #nopt.array<1000.0 : tensor<f64>>, dt = #nopt.array<0.001 : tensor<f64>>}, initial = {left_exc = #nopt.array<0.0 : tensor<f64>>, g_exc = #nopt.array<0.0 : tensor<f64>>, left_inh = #nopt.array<0.0 : tensor<f64>>, g_inh = #nopt.array<0.0 : tensor<f64>>, g_k = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>, wait = #nopt.array<0 : tensor<i64>>}, arbors = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> {
      neurogrid.terminals "fc2" {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, core = #nopt.array<[1, 1, 1, 1] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 1, 0] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
    }
  }
}

// -----

// Times are positive, and all numbers finite: `tau_s = 0.0`.
// CHECK:      error[CHI007]: tau_s is out of range
// CHECK:        expected: numbers above 0
// CHECK-NEXT:   found: 0
ntensor.update @soma <spike> inputs ["excitatory", "inhibitory"] states ["left_exc", "g_exc", "left_inh", "g_inh", "v_d", "g_k", "v", "wait"] params ["tau_s", "tau_k", "tau_d", "i_in", "g_inf", "g_res", "v_reset", "lasts", "tau_exc", "e_exc", "rise_exc", "sat_exc", "tau_inh", "e_inh", "rise_inh", "sat_inh", "dt"] raw ["tau_s", "tau_k", "tau_d", "i_in", "g_inf", "g_res", "v_reset", "lasts", "tau_exc", "e_exc", "rise_exc", "sat_exc", "tau_inh", "e_inh", "rise_inh", "sat_inh"] derive {
^bb0(%dt: f64, %tau_s: f64, %tau_k: f64, %tau_d: f64, %i_in: f64, %g_inf: f64, %g_res: f64, %v_reset: f64, %lasts: f64, %tau_exc: f64, %e_exc: f64, %rise_exc: f64, %sat_exc: f64, %tau_inh: f64, %e_inh: f64, %rise_inh: f64, %sat_inh: f64):
  ntensor.derived %tau_s, %tau_k, %tau_d, %i_in, %g_inf, %g_res, %v_reset, %lasts, %tau_exc, %e_exc, %rise_exc, %sat_exc, %tau_inh, %e_inh, %rise_inh, %sat_inh, %dt : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
} initial {
^bb0(%tau_s: f64, %tau_k: f64, %tau_d: f64, %i_in: f64, %g_inf: f64, %g_res: f64, %v_reset: f64, %lasts: !fixed.int<0, 65535>, %tau_exc: f64, %e_exc: f64, %rise_exc: f64, %sat_exc: f64, %tau_inh: f64, %e_inh: f64, %rise_inh: f64, %sat_inh: f64, %dt: f64):
  %1 = fixed.constant 0 : !fixed.int<0, 0>
  %2 = fixed.widen %1 : !fixed.int<0, 0> -> !fixed.int<0, 65535>
  ntensor.initial %0, %0, %0, %0, %0, %0, %0, %2 : f64, f64, f64, f64, f64, f64, f64, !fixed.int<0, 65535>
} step {
^bb0(%excitatory: !fixed.int<0, 1>, %inhibitory: !fixed.int<0, 1>, %left_exc: f64, %g_exc: f64, %left_inh: f64, %g_inh: f64, %v_d: f64, %g_k: f64, %v: f64, %wait: !fixed.int<0, 65535>, %tau_s: f64, %tau_k: f64, %tau_d: f64, %i_in: f64, %g_inf: f64, %g_res: f64, %v_reset: f64, %lasts: !fixed.int<0, 65535>, %tau_exc: f64, %e_exc: f64, %rise_exc: f64, %sat_exc: f64, %tau_inh: f64, %e_inh: f64, %rise_inh: f64, %sat_inh: f64, %dt: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf oge, %v, %0 : f64
  ntensor.emit %1, %left_exc, %g_exc, %left_inh, %g_inh, %v_d, %g_k, %v, %wait : i1, f64, f64, f64, f64, f64, f64, f64, !fixed.int<0, 65535>
}
neurogrid.chip @net attributes {tick_ns = 1000000 : i64} {
  neurogrid.core 0 attributes {axons = 0 : i64} {
    // expected-error @below {{[CHI007]}}
    neurogrid.somas "one/0" of "one" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, row = #nopt.array<[0, 0] : tensor<2xi32>>, column = #nopt.array<[0, 1] : tensor<2xi32>>, params = {tau_s = #nopt.array<0.0 : tensor<f64>>, tau_k = #nopt.array<0.001 : tensor<f64>>, tau_d = #nopt.array<0.001 : tensor<f64>>, i_in = #nopt.array<0.0 : tensor<f64>>, g_inf = #nopt.array<0.0 : tensor<f64>>, g_res = #nopt.array<0.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, lasts = #nopt.array<0 : tensor<i64>>, tau_exc = #nopt.array<0.001 : tensor<f64>>, e_exc = #nopt.array<100.0 : tensor<f64>>, rise_exc = #nopt.array<1.0e-06 : tensor<f64>>, sat_exc = #nopt.array<400.0 : tensor<f64>>, tau_inh = #nopt.array<0.001 : tensor<f64>>, e_inh = #nopt.array<-20.0 : tensor<f64>>, rise_inh = #nopt.array<1.0e-06 : tensor<f64>>, sat_inh = #nopt.array<1000.0 : tensor<f64>>, dt = #nopt.array<0.001 : tensor<f64>>}, initial = {left_exc = #nopt.array<0.0 : tensor<f64>>, g_exc = #nopt.array<0.0 : tensor<f64>>, left_inh = #nopt.array<0.0 : tensor<f64>>, g_inh = #nopt.array<0.0 : tensor<f64>>, v_d = #nopt.array<0.0 : tensor<f64>>, g_k = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>, wait = #nopt.array<0 : tensor<i64>>}, arbors = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> {
      neurogrid.terminals "fc2" {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, core = #nopt.array<[1, 1, 1, 1] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 1, 0] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
    }
  }
}

// -----

// Times are positive, and all numbers finite: `i_in = "0x000000000000f07f"`.
// CHECK:      error[CHI007]: i_in is out of range
// CHECK:        expected: finite numbers
// CHECK-NEXT:   found: inf
ntensor.update @soma <spike> inputs ["excitatory", "inhibitory"] states ["left_exc", "g_exc", "left_inh", "g_inh", "v_d", "g_k", "v", "wait"] params ["tau_s", "tau_k", "tau_d", "i_in", "g_inf", "g_res", "v_reset", "lasts", "tau_exc", "e_exc", "rise_exc", "sat_exc", "tau_inh", "e_inh", "rise_inh", "sat_inh", "dt"] raw ["tau_s", "tau_k", "tau_d", "i_in", "g_inf", "g_res", "v_reset", "lasts", "tau_exc", "e_exc", "rise_exc", "sat_exc", "tau_inh", "e_inh", "rise_inh", "sat_inh"] derive {
^bb0(%dt: f64, %tau_s: f64, %tau_k: f64, %tau_d: f64, %i_in: f64, %g_inf: f64, %g_res: f64, %v_reset: f64, %lasts: f64, %tau_exc: f64, %e_exc: f64, %rise_exc: f64, %sat_exc: f64, %tau_inh: f64, %e_inh: f64, %rise_inh: f64, %sat_inh: f64):
  ntensor.derived %tau_s, %tau_k, %tau_d, %i_in, %g_inf, %g_res, %v_reset, %lasts, %tau_exc, %e_exc, %rise_exc, %sat_exc, %tau_inh, %e_inh, %rise_inh, %sat_inh, %dt : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
} initial {
^bb0(%tau_s: f64, %tau_k: f64, %tau_d: f64, %i_in: f64, %g_inf: f64, %g_res: f64, %v_reset: f64, %lasts: !fixed.int<0, 65535>, %tau_exc: f64, %e_exc: f64, %rise_exc: f64, %sat_exc: f64, %tau_inh: f64, %e_inh: f64, %rise_inh: f64, %sat_inh: f64, %dt: f64):
  %1 = fixed.constant 0 : !fixed.int<0, 0>
  %2 = fixed.widen %1 : !fixed.int<0, 0> -> !fixed.int<0, 65535>
  ntensor.initial %0, %0, %0, %0, %0, %0, %0, %2 : f64, f64, f64, f64, f64, f64, f64, !fixed.int<0, 65535>
} step {
^bb0(%excitatory: !fixed.int<0, 1>, %inhibitory: !fixed.int<0, 1>, %left_exc: f64, %g_exc: f64, %left_inh: f64, %g_inh: f64, %v_d: f64, %g_k: f64, %v: f64, %wait: !fixed.int<0, 65535>, %tau_s: f64, %tau_k: f64, %tau_d: f64, %i_in: f64, %g_inf: f64, %g_res: f64, %v_reset: f64, %lasts: !fixed.int<0, 65535>, %tau_exc: f64, %e_exc: f64, %rise_exc: f64, %sat_exc: f64, %tau_inh: f64, %e_inh: f64, %rise_inh: f64, %sat_inh: f64, %dt: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf oge, %v, %0 : f64
  ntensor.emit %1, %left_exc, %g_exc, %left_inh, %g_inh, %v_d, %g_k, %v, %wait : i1, f64, f64, f64, f64, f64, f64, f64, !fixed.int<0, 65535>
}
neurogrid.chip @net attributes {tick_ns = 1000000 : i64} {
  neurogrid.core 0 attributes {axons = 0 : i64} {
    // expected-error @below {{[CHI007]}}
    neurogrid.somas "one/0" of "one" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, row = #nopt.array<[0, 0] : tensor<2xi32>>, column = #nopt.array<[0, 1] : tensor<2xi32>>, params = {tau_s = #nopt.array<0.02 : tensor<f64>>, tau_k = #nopt.array<0.001 : tensor<f64>>, tau_d = #nopt.array<0.001 : tensor<f64>>, i_in = #nopt.array<"0x000000000000f07f" : tensor<f64>>, g_inf = #nopt.array<0.0 : tensor<f64>>, g_res = #nopt.array<0.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, lasts = #nopt.array<0 : tensor<i64>>, tau_exc = #nopt.array<0.001 : tensor<f64>>, e_exc = #nopt.array<100.0 : tensor<f64>>, rise_exc = #nopt.array<1.0e-06 : tensor<f64>>, sat_exc = #nopt.array<400.0 : tensor<f64>>, tau_inh = #nopt.array<0.001 : tensor<f64>>, e_inh = #nopt.array<-20.0 : tensor<f64>>, rise_inh = #nopt.array<1.0e-06 : tensor<f64>>, sat_inh = #nopt.array<1000.0 : tensor<f64>>, dt = #nopt.array<0.001 : tensor<f64>>}, initial = {left_exc = #nopt.array<0.0 : tensor<f64>>, g_exc = #nopt.array<0.0 : tensor<f64>>, left_inh = #nopt.array<0.0 : tensor<f64>>, g_inh = #nopt.array<0.0 : tensor<f64>>, v_d = #nopt.array<0.0 : tensor<f64>>, g_k = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>, wait = #nopt.array<0 : tensor<i64>>}, arbors = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> {
      neurogrid.terminals "fc2" {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, core = #nopt.array<[1, 1, 1, 1] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 1, 0] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
    }
  }
}

// -----

// Events are binary.
// CHECK:      error[NGR003]: events are binary
// CHECK-NEXT:   at: neurogrid.input "x/0"
// CHECK-NEXT:   expected: i1
// CHECK-NEXT:   found: i8
neurogrid.chip @net {
  // expected-error @below {{[NGR003]}}
  neurogrid.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi8> {
    neurogrid.terminals "fc1" {neuron = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 1, 0] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
  }
}

// -----

// A radius is a number from 0, one for each synapse population: `arbors = [-1.0, 0.0]`.
// CHECK:      error[NGR004]: an arbor is not one of the chip
// CHECK:        expected: radii from 0
// CHECK-NEXT:   found: [-1.0, 0.0]
neurogrid.chip @net {
  neurogrid.core 0 {
    // expected-error @below {{[NGR004]}}
    neurogrid.somas "one/0" of "one" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, row = #nopt.array<[0, 0] : tensor<2xi32>>, column = #nopt.array<[0, 1] : tensor<2xi32>>, params = {tau_s = #nopt.array<0.02 : tensor<f64>>, tau_k = #nopt.array<0.001 : tensor<f64>>, tau_d = #nopt.array<0.001 : tensor<f64>>, i_in = #nopt.array<0.0 : tensor<f64>>, g_inf = #nopt.array<0.0 : tensor<f64>>, g_res = #nopt.array<0.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, lasts = #nopt.array<0 : tensor<i64>>, tau_exc = #nopt.array<0.001 : tensor<f64>>, e_exc = #nopt.array<100.0 : tensor<f64>>, rise_exc = #nopt.array<1.0e-06 : tensor<f64>>, sat_exc = #nopt.array<400.0 : tensor<f64>>, tau_inh = #nopt.array<0.001 : tensor<f64>>, e_inh = #nopt.array<-20.0 : tensor<f64>>, rise_inh = #nopt.array<1.0e-06 : tensor<f64>>, sat_inh = #nopt.array<1000.0 : tensor<f64>>, dt = #nopt.array<0.001 : tensor<f64>>}, initial = {left_exc = #nopt.array<0.0 : tensor<f64>>, g_exc = #nopt.array<0.0 : tensor<f64>>, left_inh = #nopt.array<0.0 : tensor<f64>>, g_inh = #nopt.array<0.0 : tensor<f64>>, v_d = #nopt.array<0.0 : tensor<f64>>, g_k = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>, wait = #nopt.array<0 : tensor<i64>>}, arbors = #nopt.array<[-1.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> {
      neurogrid.terminals "fc2" {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, core = #nopt.array<[1, 1, 1, 1] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 1, 0] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
    }
  }
}

// -----

// A radius is a number from 0, one for each synapse population: `arbors = [0.0, 0.0, 1.0]`.
// CHECK:      error[NGR004]
// CHECK:        expected: reals of shape [2]
// CHECK-NEXT:   found: float64 of shape [3]
neurogrid.chip @net {
  neurogrid.core 0 {
    // expected-error @below {{[NGR004]}}
    neurogrid.somas "one/0" of "one" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, row = #nopt.array<[0, 0] : tensor<2xi32>>, column = #nopt.array<[0, 1] : tensor<2xi32>>, params = {tau_s = #nopt.array<0.02 : tensor<f64>>, tau_k = #nopt.array<0.001 : tensor<f64>>, tau_d = #nopt.array<0.001 : tensor<f64>>, i_in = #nopt.array<0.0 : tensor<f64>>, g_inf = #nopt.array<0.0 : tensor<f64>>, g_res = #nopt.array<0.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, lasts = #nopt.array<0 : tensor<i64>>, tau_exc = #nopt.array<0.001 : tensor<f64>>, e_exc = #nopt.array<100.0 : tensor<f64>>, rise_exc = #nopt.array<1.0e-06 : tensor<f64>>, sat_exc = #nopt.array<400.0 : tensor<f64>>, tau_inh = #nopt.array<0.001 : tensor<f64>>, e_inh = #nopt.array<-20.0 : tensor<f64>>, rise_inh = #nopt.array<1.0e-06 : tensor<f64>>, sat_inh = #nopt.array<1000.0 : tensor<f64>>, dt = #nopt.array<0.001 : tensor<f64>>}, initial = {left_exc = #nopt.array<0.0 : tensor<f64>>, g_exc = #nopt.array<0.0 : tensor<f64>>, left_inh = #nopt.array<0.0 : tensor<f64>>, g_inh = #nopt.array<0.0 : tensor<f64>>, v_d = #nopt.array<0.0 : tensor<f64>>, g_k = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>, wait = #nopt.array<0 : tensor<i64>>}, arbors = #nopt.array<[0.0, 0.0, 1.0] : tensor<3xf64>>} : tensor<2xi1> {
      neurogrid.terminals "fc2" {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, core = #nopt.array<[1, 1, 1, 1] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 1, 0] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
    }
  }
}

// -----

// Events address sites, not axons.
// CHECK:      error[CHI002]: a Neurocore has no input axons
// CHECK:        expected: 0
// CHECK-NEXT:   found: 1
neurogrid.chip @net {
  // expected-error @below {{[CHI002]}}
  neurogrid.core 0 attributes {axons = 1 : i64} {
    neurogrid.somas "one/0" of "one" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, row = #nopt.array<[0, 0] : tensor<2xi32>>, column = #nopt.array<[0, 1] : tensor<2xi32>>, params = {tau_s = #nopt.array<0.02 : tensor<f64>>, tau_k = #nopt.array<0.001 : tensor<f64>>, tau_d = #nopt.array<0.001 : tensor<f64>>, i_in = #nopt.array<0.0 : tensor<f64>>, g_inf = #nopt.array<0.0 : tensor<f64>>, g_res = #nopt.array<0.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, lasts = #nopt.array<0 : tensor<i64>>, tau_exc = #nopt.array<0.001 : tensor<f64>>, e_exc = #nopt.array<100.0 : tensor<f64>>, rise_exc = #nopt.array<1.0e-06 : tensor<f64>>, sat_exc = #nopt.array<400.0 : tensor<f64>>, tau_inh = #nopt.array<0.001 : tensor<f64>>, e_inh = #nopt.array<-20.0 : tensor<f64>>, rise_inh = #nopt.array<1.0e-06 : tensor<f64>>, sat_inh = #nopt.array<1000.0 : tensor<f64>>, dt = #nopt.array<0.001 : tensor<f64>>}, initial = {left_exc = #nopt.array<0.0 : tensor<f64>>, g_exc = #nopt.array<0.0 : tensor<f64>>, left_inh = #nopt.array<0.0 : tensor<f64>>, g_inh = #nopt.array<0.0 : tensor<f64>>, v_d = #nopt.array<0.0 : tensor<f64>>, g_k = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>, wait = #nopt.array<0 : tensor<i64>>}, arbors = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> {
      neurogrid.terminals "fc2" {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, core = #nopt.array<[1, 1, 1, 1] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 1, 0] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
    }
  }
}

// -----

// A radius has a limit.
// CHECK: error[NGR004]: an arbor is not one of the chip
// CHECK:   expected: radii from 0 to 32
neurogrid.chip @net {
  neurogrid.core 0 {
    // expected-error @below {{[NGR004]}}
    neurogrid.somas "one/0" of "one" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, row = #nopt.array<[0, 0] : tensor<2xi32>>, column = #nopt.array<[0, 1] : tensor<2xi32>>, params = {tau_s = #nopt.array<0.02 : tensor<f64>>, tau_k = #nopt.array<0.001 : tensor<f64>>, tau_d = #nopt.array<0.001 : tensor<f64>>, i_in = #nopt.array<0.0 : tensor<f64>>, g_inf = #nopt.array<0.0 : tensor<f64>>, g_res = #nopt.array<0.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, lasts = #nopt.array<0 : tensor<i64>>, tau_exc = #nopt.array<0.001 : tensor<f64>>, e_exc = #nopt.array<100.0 : tensor<f64>>, rise_exc = #nopt.array<1.0e-06 : tensor<f64>>, sat_exc = #nopt.array<400.0 : tensor<f64>>, tau_inh = #nopt.array<0.001 : tensor<f64>>, e_inh = #nopt.array<-20.0 : tensor<f64>>, rise_inh = #nopt.array<1.0e-06 : tensor<f64>>, sat_inh = #nopt.array<1000.0 : tensor<f64>>, dt = #nopt.array<0.001 : tensor<f64>>}, initial = {left_exc = #nopt.array<0.0 : tensor<f64>>, g_exc = #nopt.array<0.0 : tensor<f64>>, left_inh = #nopt.array<0.0 : tensor<f64>>, g_inh = #nopt.array<0.0 : tensor<f64>>, v_d = #nopt.array<0.0 : tensor<f64>>, g_k = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>, wait = #nopt.array<0 : tensor<i64>>}, arbors = #nopt.array<[33.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> {
      neurogrid.terminals "fc2" {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, core = #nopt.array<[1, 1, 1, 1] : tensor<4xi32>>, synapse = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>, row = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, column = #nopt.array<[0, 1, 1, 0] : tensor<4xi32>>, events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
    }
  }
}
