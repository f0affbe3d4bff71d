// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}' | filecheck %s
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}' -t neuron | filecheck %s --check-prefix=RULE
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs reset=value}' -t neuron | filecheck %s --check-prefix=VALUE
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs reset=zero}' -t neuron | filecheck %s --check-prefix=ZERO
// RUN: cat %S/inputs/loop.mlir %s | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs reset=half}' 2>&1 | filecheck %s --check-prefix=REFUSED

// Exact decay a = exp(-0.032) = 0.968507, forward Euler gain g = 0.032 * 2 = 0.064, counts of spikes. In a loop the current is delayed.
// CHECK-LABEL: ntensor.update @sinabs_lif
// CHECK:         } step {
// CHECK-NEXT:    ^bb0([[X:%[^:]+]]: f64, [[V:%[^:]+]]: f64, [[V_LEAK_2:%[^:]+]]: f64, [[V_THRESHOLD_2:%[^:]+]]: f64, [[A_2:%[^:]+]]: f64, [[G_2:%[^:]+]]: f64):
// CHECK-NEXT:      [[N5:%\S+]] = arith.subf [[V]], [[V_LEAK_2]] : f64
// CHECK-NEXT:      [[N6:%\S+]] = arith.mulf [[A_2]], [[N5]] : f64
// CHECK-NEXT:      [[N7:%\S+]] = arith.addf [[N6]], [[V_LEAK_2]] : f64
// CHECK-NEXT:      [[N8:%\S+]] = arith.mulf [[G_2]], [[X]] : f64
// CHECK-NEXT:      [[N9:%\S+]] = arith.addf [[N7]], [[N8]] : f64
// CHECK-NEXT:      [[V_1:%\S+]] = ntensor.let "v" [[N9]] : f64
// CHECK-NEXT:      [[N10:%\S+]] = arith.divf [[V_1]], [[V_THRESHOLD_2]] : f64
// CHECK-NEXT:      [[N11:%\S+]] = fixed.from_real floor [[N10]] : f64 -> !fixed.int<0, 2147483647>
// CHECK-NEXT:      [[N:%\S+]] = ntensor.let "n" [[N11]] : !fixed.int<0, 2147483647>
// CHECK-NEXT:      [[N12:%\S+]] = fixed.to_real [[N]] : !fixed.int<0, 2147483647> -> f64
// CHECK-NEXT:      [[N13:%\S+]] = arith.mulf [[N12]], [[V_THRESHOLD_2]] : f64
// CHECK-NEXT:      [[N14:%\S+]] = arith.subf [[V_1]], [[N13]] : f64
// CHECK-NEXT:      [[V_2:%\S+]] = ntensor.let "v" [[N14]] : f64
// CHECK-NEXT:      ntensor.emit [[N]], [[V_2]] : !fixed.int<0, 2147483647>, f64
// CHECK-LABEL: ntensor.network @loop
// CHECK-NEXT:    [[W:%\S+]] = ntensor.linear "w" [[IN:%\S+]] {{.*}} : tensor<1xf64> -> tensor<1xf64>
// CHECK-NEXT:    [[N0:%\S+]] = ntensor.delay "rec.delay" [[REC:%\S+]] {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xf64>
// CHECK-NEXT:    [[N1:%\S+]] = ntensor.sum [[N0]], [[W]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT:    [[LIF:%\S+]] = ntensor.neuron "lif" @sinabs_lif.subtract.euler.multi.none([[N1]]) {family = "lif", canonical = {{.*}}, params = {v_leak = #nopt.array<0.25 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, a = #nopt.array<0.9685065820791976 : tensor<f64>>, g = #nopt.array<0.064 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1x!ntensor.count<31>>
// CHECK-NEXT:    [[REC]] = ntensor.linear "rec" [[LIF]] {{.*}} : tensor<1x!ntensor.count<31>> -> tensor<1xf64>
// CHECK-NEXT:    ntensor.output [[LIF]] : tensor<1x!ntensor.count<31>>
// CHECK-LABEL: ntensor.network @families
// CHECK-NEXT:    [[IF:%\S+]] = ntensor.neuron "if 1" @sinabs_if.subtract.multi.threshold([[IN:%\S+]]) {family = "if", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1x!ntensor.count<31>>
// CHECK-NEXT:    [[LI:%\S+]] = ntensor.neuron "li 1" @sinabs_li.euler([[IN]]) {family = "li", canonical = {{.*}}, params = {v_leak = #nopt.array<0.25 : tensor<f64>>, a = #nopt.array<0.9685065820791976 : tensor<f64>>, g = #nopt.array<0.064 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT:    ntensor.output [[IF]], [[LI]] : tensor<1x!ntensor.count<31>>, tensor<1xf64>

// The preset supports no other reset.
// REFUSED:      error[ANA019]: option reset has no value half
// REFUSED-NEXT:   at: reset=half
// REFUSED-NEXT:   expected: subtract or value or zero

// RULE-LABEL: neuron sinabs_lif_subtract_euler_multi_none
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
// RULE-NEXT:  n = clip(floor(v / v_threshold), 0, 2147483647)
// RULE-NEXT:  v = v - real(n) * v_threshold
// RULE-NEXT:  emit count n
// RULE-LABEL: neuron sinabs_if_subtract_multi_threshold
// RULE-NEXT:  param r, v_threshold
// RULE-NEXT:  canonical decay = 1
// RULE-NEXT:  canonical gain = r
// RULE-NEXT:  canonical leak = 0
// RULE-NEXT:  canonical threshold = v_threshold
// RULE-NEXT:  state v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  v = v + r * x
// RULE-NEXT:  n = clip(floor(v / v_threshold), 0, 2147483647)
// RULE-NEXT:  v = v - real(n) * v_threshold
// RULE-NEXT:  v = max(v, -v_threshold)
// RULE-NEXT:  emit count n
// RULE-LABEL: neuron sinabs_li_euler
// RULE-NEXT:  param tau, r, v_leak
// RULE-NEXT:  param a = exp(-dt / tau)
// RULE-NEXT:  param g = dt / tau * r
// RULE-NEXT:  canonical decay = a
// RULE-NEXT:  canonical gain = g
// RULE-NEXT:  canonical leak = v_leak
// RULE-NEXT:  state v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  v = a * (v - v_leak) + v_leak + g * x
// RULE-NEXT:  emit value v
// VALUE-LABEL: neuron sinabs_lif_value_euler_multi_none
// VALUE:      input x
// VALUE-NEXT: v = a * (v - v_leak) + v_leak + g * x
// VALUE-NEXT: n = clip(floor(v / v_threshold), 0, 2147483647)
// VALUE-NEXT: v = v_reset if n > 0 else v
// VALUE-NEXT: emit count n
// VALUE-LABEL: neuron sinabs_if_value_multi_threshold
// VALUE:      input x
// VALUE-NEXT: v = v + r * x
// VALUE-NEXT: n = clip(floor(v / v_threshold), 0, 2147483647)
// VALUE-NEXT: v = v_reset if n > 0 else v
// VALUE-NEXT: v = max(v, -v_threshold)
// VALUE-NEXT: emit count n
// ZERO-LABEL: neuron sinabs_lif_zero_euler_multi_none
// ZERO:      input x
// ZERO-NEXT: v = a * (v - v_leak) + v_leak + g * x
// ZERO-NEXT: n = clip(floor(v / v_threshold), 0, 2147483647)
// ZERO-NEXT: v = 0 if n > 0 else v
// ZERO-NEXT: emit count n
// ZERO-LABEL: neuron sinabs_if_zero_multi_threshold
// ZERO:      input x
// ZERO-NEXT: v = v + r * x
// ZERO-NEXT: n = clip(floor(v / v_threshold), 0, 2147483647)
// ZERO-NEXT: v = 0 if n > 0 else v
// ZERO-NEXT: v = max(v, -v_threshold)
// ZERO-NEXT: emit count n
nir.graph @families("in" %x: tensor<1xf32>) -> ("if out": tensor<1xi1>, "li out": tensor<1xf32>) {
  %n0 = nir.if "if 1" %x {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %n1 = nir.li "li 1" %x {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.25 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %n0, %n1 : tensor<1xi1>, tensor<1xf32>
}
