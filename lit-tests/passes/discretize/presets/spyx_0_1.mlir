// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=15625000 like=spyx_0_1}' -t neuron | filecheck %s --check-prefix=RULE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=15625000 like=spyx_0_1}' | filecheck %s
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=15625000 like=spyx reset=subtract_twice}' 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: python -c 'import numpy; numpy.save("%t.npy", numpy.eye(4, 1, dtype="f4") * 4)'
// RUN: nopt run %s --input %t.npy --dt 15625us --like spyx_0_1 --record once,twice,twice.v -o %t.old.csv --quiet && cat %t.old.csv | filecheck %s --check-prefix=OLD
// RUN: nopt run %s --input %t.npy --dt 15625us --like spyx --record once,twice,twice.v -o %t.new.csv --quiet && cat %t.new.csv | filecheck %s --check-prefix=NEW

// CuBaLIF subtracts the threshold before and after the decay, RCuBaLIF only before it; spikes are one tick late.
// CHECK:      ntensor.neuron "twice" @spyx_0_1_cuba_lif.subtract_twice(
// CHECK-NEXT: ntensor.delay "twice.delay" {{.*}} {ticks = #nopt.array<1 : tensor<i64>>, part_of = "twice"}
// CHECK-NEXT: ntensor.neuron "once" @spyx_0_1_cuba_lif.subtract(

// RULE-LABEL: neuron spyx_0_1_cuba_lif_subtract_twice
// RULE:       p = v > v_threshold
// RULE-NEXT:  w = v - v_threshold if p else v
// RULE-NEXT:  i = i + k_syn * (w_in * x - i)
// RULE-NEXT:  w = w + k_mem * (v_leak - w + r * i)
// RULE-NEXT:  v = w - v_threshold if p else w
// RULE-NEXT:  z = v > v_threshold
// RULE-LABEL: neuron spyx_0_1_cuba_lif_subtract
// RULE:       p = v > v_threshold
// RULE-NEXT:  w = v - v_threshold if p else v
// RULE-NEXT:  i = i + k_syn * (w_in * x - i)
// RULE-NEXT:  w = w + k_mem * (v_leak - w + r * i)
// RULE-NEXT:  v = w
// RULE-NEXT:  z = v > v_threshold

// Both decays are 1 - 2^-6 s / 2^-5 s = 0.5, and both gains 1: i = 4, 2, 1, 0.5. With two subtractions, v = 4, then 0.5 (4 - 1) + 2 - 1 = 2.5,
// 0.5 (2.5 - 1) + 1 - 1 = 0.75, and 0.5 * 0.75 + 0.5 = 0.875. With one, v = 4, 0.5 (4 - 1) + 2 = 3.5, 0.5 (3.5 - 1) + 1 = 2.25 and 1.125.
// OLD:      tick,out[0],once[0],twice[0],twice.v[0]
// OLD-NEXT: 0,0,0,0,4.0
// OLD-NEXT: 1,1,1,1,2.5
// OLD-NEXT: 2,1,1,1,0.75
// OLD-NEXT: 3,1,1,0,0.875
// NEW:      tick,out[0],once[0],twice[0],twice.v[0]
// NEW-NEXT: 0,0,0,0,4.0
// NEW-NEXT: 1,1,1,1,3.5
// NEW-NEXT: 2,1,1,1,2.25
// NEW-NEXT: 3,1,1,1,1.125

// Spyx 1.0 has no such rule.
// REFUSED:      error[ANA019]: option reset has no value subtract_twice
// REFUSED-NEXT:   at: reset=subtract_twice
// REFUSED-NEXT:   expected: subtract or value or zero
nir.graph @net("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %twice = nir.cuba_lif "twice" %x {tau_syn = #nopt.array<0.03125 : tensor<f32>>, tau_mem = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>, w_in = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %s = nir.sum %x, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %once = nir.cuba_lif "once" %s {tau_syn = #nopt.array<0.03125 : tensor<f32>>, tau_mem = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>, w_in = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %r = nir.linear "rec" %once {weight = #nopt.array<[[0.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %once : tensor<1xi1>
}
