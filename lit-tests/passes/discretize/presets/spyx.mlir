// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=spyx}' | filecheck %s
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=spyx}' -t neuron | filecheck %s --check-prefix=RULE
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=spyx reset=value}' -t neuron | filecheck %s --check-prefix=VALUE
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=spyx reset=zero}' -t neuron | filecheck %s --check-prefix=ZERO
// RUN: cat %S/inputs/loop.mlir %s | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=spyx reset=half}' 2>&1 | filecheck %s --check-prefix=REFUSED

// Forward Euler, k = 1e-3 / 0.03125 = 0.032. Spikes are one tick late, which is also the delay of a loop; a reset acts in the tick after.
// CHECK-LABEL: ntensor.update @spyx_lif
// CHECK:         } step {
// CHECK-NEXT:    ^bb0([[X:%[^:]+]]: f64, [[V:%[^:]+]]: f64, [[R_2:%[^:]+]]: f64, [[V_LEAK_2:%[^:]+]]: f64, [[V_THRESHOLD_2:%[^:]+]]: f64, [[K_2:%[^:]+]]: f64):
// CHECK-NEXT:      [[N4:%\S+]] = arith.cmpf ogt, [[V]], [[V_THRESHOLD_2]] : f64
// CHECK-NEXT:      [[P:%\S+]] = ntensor.let "p" [[N4]] : i1
// CHECK-NEXT:      [[W:%\S+]] = ntensor.let "w" [[V]] : f64
// CHECK-NEXT:      [[N5:%\S+]] = arith.subf [[V_LEAK_2]], [[W]] : f64
// CHECK-NEXT:      [[N6:%\S+]] = arith.mulf [[R_2]], [[X]] : f64
// CHECK-NEXT:      [[N7:%\S+]] = arith.addf [[N5]], [[N6]] : f64
// CHECK-NEXT:      [[N8:%\S+]] = arith.mulf [[K_2]], [[N7]] : f64
// CHECK-NEXT:      [[N9:%\S+]] = arith.addf [[W]], [[N8]] : f64
// CHECK-NEXT:      [[W_1:%\S+]] = ntensor.let "w" [[N9]] : f64
// CHECK-NEXT:      [[N10:%\S+]] = arith.subf [[W_1]], [[V_THRESHOLD_2]] : f64
// CHECK-NEXT:      [[N11:%\S+]] = arith.select [[P]], [[N10]], [[W_1]] : f64
// CHECK-NEXT:      [[V_1:%\S+]] = ntensor.let "v" [[N11]] : f64
// CHECK-NEXT:      [[N12:%\S+]] = arith.cmpf ogt, [[V_1]], [[V_THRESHOLD_2]] : f64
// CHECK-NEXT:      [[Z:%\S+]] = ntensor.let "z" [[N12]] : i1
// CHECK-NEXT:      ntensor.emit [[Z]], [[V_1]] : i1, f64
// CHECK-LABEL: ntensor.network @loop
// CHECK-NEXT:    [[W:%\S+]] = ntensor.linear "w" [[IN:%\S+]] {{.*}} : tensor<1xf64> -> tensor<1xf64>
// CHECK-NEXT:    [[LIF:%\S+]] = ntensor.neuron "lif" @spyx_lif.subtract([[N0:%\S+]]) {family = "lif", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_leak = #nopt.array<0.25 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, k = #nopt.array<0.032 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
// CHECK-NEXT:    [[N1:%\S+]] = ntensor.delay "lif.delay" [[LIF]] {ticks = #nopt.array<1 : tensor<i64>>, part_of = "lif"} : tensor<1xi1>
// CHECK-NEXT:    [[REC:%\S+]] = ntensor.linear "rec" [[N1]] {{.*}} : tensor<1xi1> -> tensor<1xf64>
// CHECK-NEXT:    [[N0]] = ntensor.sum [[REC]], [[W]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT:    ntensor.output [[N1]] : tensor<1xi1>
// CHECK-LABEL: ntensor.network @families
// CHECK-NEXT:    [[CUBA_LIF:%\S+]] = ntensor.neuron "cuba_lif 1" @spyx_cuba_lif.subtract([[IN:%\S+]]) {family = "cuba_lif", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_leak = #nopt.array<0.25 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, w_in = #nopt.array<4.0 : tensor<f64>>, k_syn = #nopt.array<0.128 : tensor<f64>>, k_mem = #nopt.array<0.032 : tensor<f64>>}, initial = {i = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
// CHECK-NEXT:    [[N0:%\S+]] = ntensor.delay "cuba_lif 1.delay" [[CUBA_LIF]] {ticks = #nopt.array<1 : tensor<i64>>, part_of = "cuba_lif 1"} : tensor<1xi1>
// CHECK-NEXT:    [[IF:%\S+]] = ntensor.neuron "if 1" @spyx_if.subtract([[IN]]) {family = "if", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
// CHECK-NEXT:    [[N1:%\S+]] = ntensor.delay "if 1.delay" [[IF]] {ticks = #nopt.array<1 : tensor<i64>>, part_of = "if 1"} : tensor<1xi1>
// CHECK-NEXT:    [[LI:%\S+]] = ntensor.neuron "li 1" @spyx_li([[IN]]) {family = "li", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_leak = #nopt.array<0.25 : tensor<f64>>, k = #nopt.array<0.032 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT:    ntensor.output [[N0]], [[N1]], [[LI]] : tensor<1xi1>, tensor<1xi1>, tensor<1xf64>

// The preset supports no other reset.
// REFUSED:      error[ANA019]: option reset has no value half
// REFUSED-NEXT:   at: reset=half
// REFUSED-NEXT:   expected: subtract or value or zero

// RULE-LABEL: neuron spyx_lif_subtract
// RULE-NEXT:  param tau, r, v_leak, v_threshold
// RULE-NEXT:  param k = dt / tau
// RULE-NEXT:  canonical decay = 1 - k
// RULE-NEXT:  canonical gain = k * r
// RULE-NEXT:  canonical leak = v_leak
// RULE-NEXT:  canonical threshold = v_threshold
// RULE-NEXT:  state v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  p = v > v_threshold
// RULE-NEXT:  w = v
// RULE-NEXT:  w = w + k * (v_leak - w + r * x)
// RULE-NEXT:  v = w - v_threshold if p else w
// RULE-NEXT:  z = v > v_threshold
// RULE-NEXT:  emit spike z
// RULE-LABEL: neuron spyx_cuba_lif_subtract
// RULE-NEXT:  param tau_syn, tau_mem, r, v_leak, v_threshold, w_in
// RULE-NEXT:  param k_syn = dt / tau_syn
// RULE-NEXT:  param k_mem = dt / tau_mem
// RULE-NEXT:  canonical decay_i = 1 - k_syn
// RULE-NEXT:  canonical gain_i = k_syn * w_in
// RULE-NEXT:  canonical decay = 1 - k_mem
// RULE-NEXT:  canonical gain = k_mem * r
// RULE-NEXT:  canonical leak = v_leak
// RULE-NEXT:  canonical threshold = v_threshold
// RULE-NEXT:  state i = 0, v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  p = v > v_threshold
// RULE-NEXT:  v = v - v_threshold if p else v
// RULE-NEXT:  i = i + k_syn * (w_in * x - i)
// RULE-NEXT:  v = v + k_mem * (v_leak - v + r * i)
// RULE-NEXT:  z = v > v_threshold
// RULE-NEXT:  emit spike z
// RULE-LABEL: neuron spyx_if_subtract
// RULE-NEXT:  param r, v_threshold
// RULE-NEXT:  canonical decay = 1
// RULE-NEXT:  canonical gain = r
// RULE-NEXT:  canonical leak = 0
// RULE-NEXT:  canonical threshold = v_threshold
// RULE-NEXT:  state v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  p = v > v_threshold
// RULE-NEXT:  v = v - v_threshold if p else v
// RULE-NEXT:  v = v + r * x
// RULE-NEXT:  z = v > v_threshold
// RULE-NEXT:  emit spike z
// RULE-LABEL: neuron spyx_li
// RULE-NEXT:  param tau, r, v_leak
// RULE-NEXT:  param k = dt / tau
// RULE-NEXT:  canonical decay = 1 - k
// RULE-NEXT:  canonical gain = k * r
// RULE-NEXT:  canonical leak = v_leak
// RULE-NEXT:  state v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  v = v + k * (v_leak - v + r * x)
// RULE-NEXT:  emit value v
// VALUE-LABEL: neuron spyx_lif_value
// VALUE:      input x
// VALUE-NEXT: p = v > v_threshold
// VALUE-NEXT: w = v_reset if p else v
// VALUE-NEXT: w = w + k * (v_leak - w + r * x)
// VALUE-NEXT: v = w
// VALUE-NEXT: z = v > v_threshold
// VALUE-NEXT: emit spike z
// VALUE-LABEL: neuron spyx_cuba_lif_value
// VALUE:      input x
// VALUE-NEXT: p = v > v_threshold
// VALUE-NEXT: v = v_reset if p else v
// VALUE-NEXT: i = i + k_syn * (w_in * x - i)
// VALUE-NEXT: v = v + k_mem * (v_leak - v + r * i)
// VALUE-NEXT: z = v > v_threshold
// VALUE-NEXT: emit spike z
// VALUE-LABEL: neuron spyx_if_value
// VALUE:      input x
// VALUE-NEXT: p = v > v_threshold
// VALUE-NEXT: v = v_reset if p else v
// VALUE-NEXT: v = v + r * x
// VALUE-NEXT: z = v > v_threshold
// VALUE-NEXT: emit spike z
// ZERO-LABEL: neuron spyx_lif_zero
// ZERO:      input x
// ZERO-NEXT: p = v > v_threshold
// ZERO-NEXT: w = 0 if p else v
// ZERO-NEXT: w = w + k * (v_leak - w + r * x)
// ZERO-NEXT: v = w
// ZERO-NEXT: z = v > v_threshold
// ZERO-NEXT: emit spike z
// ZERO-LABEL: neuron spyx_cuba_lif_zero
// ZERO:      input x
// ZERO-NEXT: p = v > v_threshold
// ZERO-NEXT: v = 0 if p else v
// ZERO-NEXT: i = i + k_syn * (w_in * x - i)
// ZERO-NEXT: v = v + k_mem * (v_leak - v + r * i)
// ZERO-NEXT: z = v > v_threshold
// ZERO-NEXT: emit spike z
// ZERO-LABEL: neuron spyx_if_zero
// ZERO:      input x
// ZERO-NEXT: p = v > v_threshold
// ZERO-NEXT: v = 0 if p else v
// ZERO-NEXT: v = v + r * x
// ZERO-NEXT: z = v > v_threshold
// ZERO-NEXT: emit spike z
nir.graph @families("in" %x: tensor<1xf32>) -> ("cuba_lif out": tensor<1xi1>, "if out": tensor<1xi1>, "li out": tensor<1xf32>) {
  %n0 = nir.cuba_lif "cuba_lif 1" %x {tau_syn = #nopt.array<0.0078125 : tensor<f32>>, tau_mem = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.25 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>, w_in = #nopt.array<4.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %n1 = nir.if "if 1" %x {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %n2 = nir.li "li 1" %x {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.25 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %n0, %n1, %n2 : tensor<1xi1>, tensor<1xi1>, tensor<1xf32>
}
