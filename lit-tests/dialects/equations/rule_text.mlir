// RUN: nopt %root/lit-tests/core/inputs/counts.synapse -t synapse | filecheck %s
// RUN: nopt %root/lit-tests/core/inputs/counts.synapse | nopt - -t synapse | filecheck %s
// RUN: nopt %root/passes/discretize/synapses/stdp.synapse -t synapse | filecheck %s --check-prefix=PAIRS
// RUN: nopt %s -t synapse | filecheck %s --check-prefix=FOREIGN

// A rule of integers: the bounds of the weight and its type are one interval in IR.
// CHECK:      synapse counted
// CHECK-NEXT: param step: s4
// CHECK-NEXT: weight w: s8 saturate in -100..100
// CHECK-NEXT: post state y: u4 = 0
// CHECK-NEXT: random u: u3
// CHECK-EMPTY:
// CHECK-NEXT: on tick
// CHECK-NEXT: y = y - 1 if y > 0 else y
// CHECK-NEXT: on pre
// CHECK-NEXT: w = w - step + (1 if u < y else 0)
// CHECK-NEXT: on post
// CHECK-NEXT: y = 15
// CHECK:      synapse rewarded_spike
// CHECK-NEXT: weight w in -1..1
// CHECK-NEXT: modulator reward
// CHECK-EMPTY:
// CHECK-NEXT: on reward
// CHECK-NEXT: w = w + reward

// The text of a rule has no options and units. Divisors get bounds that exclude 0.
// PAIRS:      synapse stdp_additive_none_axonal
// PAIRS-NEXT: param a_plus, a_minus, tau_plus in 1e-300..inf, tau_minus in 1e-300..inf, w_min, w_max
// PAIRS-NEXT: param decay_plus = exp(-dt / tau_plus)
// PAIRS-NEXT: param decay_minus = exp(-dt / tau_minus)
// PAIRS-NEXT: weight w in w_min..w_max
// PAIRS-NEXT: pre state x = 0
// PAIRS-NEXT: post state y = 0
// PAIRS-EMPTY:
// PAIRS-NEXT: on tick
// PAIRS-NEXT: x = x * decay_plus
// PAIRS-NEXT: y = y * decay_minus
// PAIRS-NEXT: on post
// PAIRS-NEXT: up: real = 1
// PAIRS-NEXT: w = w + a_plus * x * up

// A rule that was not built from equations: its states exchange their values, and the modulator is an integer.
// FOREIGN:      synapse foreign
// FOREIGN-NEXT: option delay = dendritic
// FOREIGN-NEXT: weight w in 0..1
// FOREIGN-NEXT: synapse state c = 0, d = 0
// FOREIGN-NEXT: modulator m: s4
// FOREIGN-EMPTY:
// FOREIGN-NEXT: on pre
// FOREIGN-NEXT: c_0 = c
// FOREIGN-NEXT: c = d
// FOREIGN-NEXT: d = c_0
// FOREIGN-NEXT: on m
// FOREIGN-NEXT: w = w + c * real(m)
ntensor.rule @foreign <dendritic> weight "w" synapse ["c", "d"] modulators ["m"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.constant 1.0 : f64
  ntensor.derived %0, %1 : f64, f64
} initial {
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0, %0 : f64, f64
} on ["pre", "m"] {
^bb0(%w: f64, %c: f64, %d: f64, %m: !fixed.int<-8, 7>):
  ntensor.learned %w, %d, %c : f64, f64, f64
} {
^bb0(%w: f64, %c: f64, %d: f64, %m: !fixed.int<-8, 7>):
  %x = fixed.to_real %m : !fixed.int<-8, 7> -> f64
  %0 = arith.mulf %c, %x : f64
  %1 = arith.addf %w, %0 : f64
  %low = arith.constant 0.0 : f64
  %2 = arith.maximumf %1, %low : f64
  %high = arith.constant 1.0 : f64
  %3 = arith.minimumf %2, %high : f64
  ntensor.learned %3, %c, %d : f64, f64, f64
}
