// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool}' | filecheck %s
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool}' -t neuron | filecheck %s --check-prefix=RULE
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool reset=value}' -t neuron | filecheck %s --check-prefix=VALUE
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool reset=zero}' -t neuron | filecheck %s --check-prefix=ZERO
// RUN: cat %S/inputs/loop.mlir %s | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool reset=half}' 2>&1 | filecheck %s --check-prefix=REFUSED

// Exact decay a = exp(-0.032) = 0.968507, a_syn = exp(-0.128) = 0.879853, forward Euler gain g = 0.064 of a LIF, counts of at most 65536 = 17 bits.
// CHECK-LABEL: ntensor.update @rockpool_lif
// CHECK:         } step {
// CHECK-NEXT:    ^bb0([[X:%[^:]+]]: f64, [[V:%[^:]+]]: f64, [[V_LEAK_2:%[^:]+]]: f64, [[V_THRESHOLD_2:%[^:]+]]: f64, [[A_2:%[^:]+]]: f64, [[G_2:%[^:]+]]: f64):
// CHECK-NEXT:      [[N5:%\S+]] = arith.subf [[V]], [[V_LEAK_2]] : f64
// CHECK-NEXT:      [[N6:%\S+]] = arith.mulf [[A_2]], [[N5]] : f64
// CHECK-NEXT:      [[N7:%\S+]] = arith.addf [[N6]], [[V_LEAK_2]] : f64
// CHECK-NEXT:      [[N8:%\S+]] = arith.mulf [[G_2]], [[X]] : f64
// CHECK-NEXT:      [[N9:%\S+]] = arith.addf [[N7]], [[N8]] : f64
// CHECK-NEXT:      [[V_1:%\S+]] = ntensor.let "v" [[N9]] : f64
// CHECK-NEXT:      [[N10:%\S+]] = arith.divf [[V_1]], [[V_THRESHOLD_2]] : f64
// CHECK-NEXT:      [[N11:%\S+]] = fixed.from_real floor [[N10]] : f64 -> !fixed.int<0, 65536>
// CHECK-NEXT:      [[N:%\S+]] = ntensor.let "n" [[N11]] : !fixed.int<0, 65536>
// CHECK-NEXT:      [[N12:%\S+]] = fixed.to_real [[N]] : !fixed.int<0, 65536> -> f64
// CHECK-NEXT:      [[N13:%\S+]] = arith.mulf [[N12]], [[V_THRESHOLD_2]] : f64
// CHECK-NEXT:      [[N14:%\S+]] = arith.subf [[V_1]], [[N13]] : f64
// CHECK-NEXT:      [[V_2:%\S+]] = ntensor.let "v" [[N14]] : f64
// CHECK-NEXT:      ntensor.emit [[N]], [[V_2]] : !fixed.int<0, 65536>, f64
// CHECK-LABEL: ntensor.network @loop
// CHECK-NEXT:    [[W:%\S+]] = ntensor.linear "w" [[IN:%\S+]] {{.*}} : tensor<1xf64> -> tensor<1xf64>
// CHECK-NEXT:    [[N0:%\S+]] = ntensor.delay "lif.delay" [[LIF:%\S+]] {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1x!ntensor.count<17>>
// CHECK-NEXT:    [[REC:%\S+]] = ntensor.linear "rec" [[N0]] {{.*}} : tensor<1x!ntensor.count<17>> -> tensor<1xf64>
// CHECK-NEXT:    [[N1:%\S+]] = ntensor.sum [[REC]], [[W]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT:    [[LIF]] = ntensor.neuron "lif" @rockpool_lif.subtract.all([[N1]]) {family = "lif", canonical = {{.*}}, params = {v_leak = #nopt.array<0.25 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, a = #nopt.array<0.9685065820791976 : tensor<f64>>, g = #nopt.array<0.064 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1x!ntensor.count<17>>
// CHECK-NEXT:    ntensor.output [[LIF]] : tensor<1x!ntensor.count<17>>
// CHECK-LABEL: ntensor.network @families
// CHECK-NEXT:    [[CUBA_LIF:%\S+]] = ntensor.neuron "cuba_lif 1" @rockpool_cuba_lif.subtract.all([[IN:%\S+]]) {family = "cuba_lif", canonical = {{.*}}, params = {v_leak = #nopt.array<0.25 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, a_syn = #nopt.array<0.8798533791446438 : tensor<f64>>, a_mem = #nopt.array<0.9685065820791976 : tensor<f64>>}, initial = {i = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1x!ntensor.count<17>>
// CHECK-NEXT:    ntensor.output [[CUBA_LIF]] : tensor<1x!ntensor.count<17>>

// The preset supports no other reset.
// REFUSED:      error[ANA019]: option reset has no value half
// REFUSED-NEXT:   at: reset=half
// REFUSED-NEXT:   expected: subtract or value or zero

// RULE-LABEL: neuron rockpool_lif_subtract
// RULE-NEXT:  param tau, r, v_leak, v_threshold
// RULE-NEXT:  param a = exp(-dt / tau)
// RULE-NEXT:  param g = dt / tau * r
// RULE-NEXT:  canonical decay = a
// RULE-NEXT:  canonical gain = g
// RULE-NEXT:  canonical leak = v_leak
// RULE-NEXT:  canonical threshold = v_threshold
// RULE-NEXT:  state v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  v = a * (v - v_leak) + v_leak + g * x
// RULE-NEXT:  n = clip(floor(v / v_threshold), 0, 65536)
// RULE-NEXT:  v = v - real(n) * v_threshold
// RULE-NEXT:  emit count n
// RULE-LABEL: neuron rockpool_cuba_lif_subtract
// RULE-NEXT:  param tau_syn, tau_mem, v_leak, v_threshold
// RULE-NEXT:  param a_syn = exp(-dt / tau_syn)
// RULE-NEXT:  param a_mem = exp(-dt / tau_mem)
// RULE-NEXT:  canonical decay_i = a_syn
// RULE-NEXT:  canonical gain_i = a_syn
// RULE-NEXT:  canonical decay = a_mem
// RULE-NEXT:  canonical gain = 1
// RULE-NEXT:  canonical leak = v_leak / (1 - a_mem)
// RULE-NEXT:  canonical threshold = v_threshold
// RULE-NEXT:  state i = 0, v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  i = (i + x) * a_syn
// RULE-NEXT:  v = a_mem * v + i + v_leak
// RULE-NEXT:  n = clip(floor(v / v_threshold), 0, 65536)
// RULE-NEXT:  v = v - real(n) * v_threshold
// RULE-NEXT:  emit count n
// VALUE-LABEL: neuron rockpool_lif_value
// VALUE:      input x
// VALUE-NEXT: v = a * (v - v_leak) + v_leak + g * x
// VALUE-NEXT: n = clip(floor(v / v_threshold), 0, 65536)
// VALUE-NEXT: v = v_reset if n > 0 else v
// VALUE-NEXT: emit count n
// VALUE-LABEL: neuron rockpool_cuba_lif_value
// VALUE:      input x
// VALUE-NEXT: i = (i + x) * a_syn
// VALUE-NEXT: v = a_mem * v + i + v_leak
// VALUE-NEXT: n = clip(floor(v / v_threshold), 0, 65536)
// VALUE-NEXT: v = v_reset if n > 0 else v
// VALUE-NEXT: emit count n
// ZERO-LABEL: neuron rockpool_lif_zero
// ZERO:      input x
// ZERO-NEXT: v = a * (v - v_leak) + v_leak + g * x
// ZERO-NEXT: n = clip(floor(v / v_threshold), 0, 65536)
// ZERO-NEXT: v = 0 if n > 0 else v
// ZERO-NEXT: emit count n
// ZERO-LABEL: neuron rockpool_cuba_lif_zero
// ZERO:      input x
// ZERO-NEXT: i = (i + x) * a_syn
// ZERO-NEXT: v = a_mem * v + i + v_leak
// ZERO-NEXT: n = clip(floor(v / v_threshold), 0, 65536)
// ZERO-NEXT: v = 0 if n > 0 else v
// ZERO-NEXT: emit count n
nir.graph @families("in" %x: tensor<1xf32>) -> ("cuba_lif out": tensor<1xi1>) {
  %n0 = nir.cuba_lif "cuba_lif 1" %x {tau_syn = #nopt.array<0.0078125 : tensor<f32>>, tau_mem = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.25 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>, w_in = #nopt.array<4.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %n0 : tensor<1xi1>
}
