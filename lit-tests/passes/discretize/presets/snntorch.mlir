// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch}' | filecheck %s
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch}' -t neuron | filecheck %s --check-prefix=RULE
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract}' -t neuron | filecheck %s --check-prefix=SUBTRACT
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=zero}' -t neuron | filecheck %s --check-prefix=ZERO
// RUN: cat %S/inputs/loop.mlir %s | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=half}' 2>&1 | filecheck %s --check-prefix=REFUSED

// Forward Euler, k = 1e-3 / 0.03125 = 0.032. In a loop the spikes are delayed. A reset by subtraction is pending for one tick.
// CHECK-LABEL: ntensor.update @snntorch_lif
// CHECK:         } step {
// CHECK-NEXT:    ^bb0([[X:%[^:]+]]: f64, [[V:%[^:]+]]: f64, [[R_2:%[^:]+]]: f64, [[V_LEAK_2:%[^:]+]]: f64, [[V_THRESHOLD_2:%[^:]+]]: f64, [[V_RESET_2:%[^:]+]]: f64, [[K_2:%[^:]+]]: f64):
// CHECK-NEXT:      [[N4:%\S+]] = arith.subf [[V_LEAK_2]], [[V]] : f64
// CHECK-NEXT:      [[N5:%\S+]] = arith.mulf [[R_2]], [[X]] : f64
// CHECK-NEXT:      [[N6:%\S+]] = arith.addf [[N4]], [[N5]] : f64
// CHECK-NEXT:      [[N7:%\S+]] = arith.mulf [[K_2]], [[N6]] : f64
// CHECK-NEXT:      [[N8:%\S+]] = arith.addf [[V]], [[N7]] : f64
// CHECK-NEXT:      [[V_1:%\S+]] = ntensor.let "v" [[N8]] : f64
// CHECK-NEXT:      [[N9:%\S+]] = arith.cmpf ogt, [[V_1]], [[V_THRESHOLD_2]] : f64
// CHECK-NEXT:      [[Z:%\S+]] = ntensor.let "z" [[N9]] : i1
// CHECK-NEXT:      [[N10:%\S+]] = arith.select [[Z]], [[V_RESET_2]], [[V_1]] : f64
// CHECK-NEXT:      [[V_3:%\S+]] = ntensor.let "v" [[N10]] : f64
// CHECK-NEXT:      ntensor.emit [[Z]], [[V_3]] : i1, f64
// CHECK-LABEL: ntensor.network @loop
// CHECK-NEXT:    [[W:%\S+]] = ntensor.linear "w" [[IN:%\S+]] {{.*}} : tensor<1xf64> -> tensor<1xf64>
// CHECK-NEXT:    [[N0:%\S+]] = ntensor.delay "lif.delay" [[LIF:%\S+]] {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xi1>
// CHECK-NEXT:    [[REC:%\S+]] = ntensor.linear "rec" [[N0]] {{.*}} : tensor<1xi1> -> tensor<1xf64>
// CHECK-NEXT:    [[N1:%\S+]] = ntensor.sum [[REC]], [[W]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT:    [[LIF]] = ntensor.neuron "lif" @snntorch_lif.value([[N1]]) {family = "lif", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_leak = #nopt.array<0.25 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<-0.5 : tensor<f64>>, k = #nopt.array<0.032 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
// CHECK-NEXT:    ntensor.output [[LIF]] : tensor<1xi1>
// CHECK-LABEL: ntensor.network @families
// CHECK-NEXT:    [[CUBA_LIF:%\S+]] = ntensor.neuron "cuba_lif 1" @snntorch_cuba_lif.value([[IN:%\S+]]) {family = "cuba_lif", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_leak = #nopt.array<0.25 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<-0.5 : tensor<f64>>, w_in = #nopt.array<4.0 : tensor<f64>>, k_syn = #nopt.array<0.128 : tensor<f64>>, k_mem = #nopt.array<0.032 : tensor<f64>>}, initial = {i = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
// CHECK-NEXT:    [[IF:%\S+]] = ntensor.neuron "if 1" @snntorch_if.value([[IN]]) {family = "if", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<-0.5 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
// CHECK-NEXT:    ntensor.output [[CUBA_LIF]], [[IF]] : tensor<1xi1>, tensor<1xi1>

// The preset supports no other reset.
// REFUSED:      error[ANA019]: option reset has no value half
// REFUSED-NEXT:   at: reset=half
// REFUSED-NEXT:   expected: value or zero or subtract

// RULE-LABEL: neuron snntorch_lif_value
// RULE-NEXT:  param tau, r, v_leak, v_threshold, v_reset
// RULE-NEXT:  param k = dt / tau
// RULE-NEXT:  canonical decay = 1 - k
// RULE-NEXT:  canonical gain = k * r
// RULE-NEXT:  canonical leak = v_leak
// RULE-NEXT:  canonical threshold = v_threshold
// RULE-NEXT:  state v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  v = v + k * (v_leak - v + r * x)
// RULE-NEXT:  z = v > v_threshold
// RULE-NEXT:  v = v_reset if z else v
// RULE-NEXT:  emit spike z
// RULE-LABEL: neuron snntorch_cuba_lif_value
// RULE-NEXT:  param tau_syn, tau_mem, r, v_leak, v_threshold, v_reset, w_in
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
// RULE-NEXT:  i = i + k_syn * (w_in * x - i)
// RULE-NEXT:  v = v + k_mem * (v_leak - v + r * i)
// RULE-NEXT:  z = v > v_threshold
// RULE-NEXT:  v = v_reset if z else v
// RULE-NEXT:  emit spike z
// RULE-LABEL: neuron snntorch_if_value
// RULE-NEXT:  param r, v_threshold, v_reset
// RULE-NEXT:  canonical decay = 1
// RULE-NEXT:  canonical gain = r
// RULE-NEXT:  canonical leak = 0
// RULE-NEXT:  canonical threshold = v_threshold
// RULE-NEXT:  state v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  v = v + r * x
// RULE-NEXT:  z = v > v_threshold
// RULE-NEXT:  v = v_reset if z else v
// RULE-NEXT:  emit spike z
// SUBTRACT-LABEL: neuron snntorch_lif_subtract
// SUBTRACT:      input x
// SUBTRACT-NEXT: pending = v > v_threshold
// SUBTRACT-NEXT: v = v + k * (v_leak - v + r * x)
// SUBTRACT-NEXT: v = v - v_threshold if pending else v
// SUBTRACT-NEXT: z = v > v_threshold
// SUBTRACT-NEXT: v = (v if pending else v - v_threshold) if z else v + v_threshold if pending else v
// SUBTRACT-NEXT: emit spike z
// SUBTRACT-LABEL: neuron snntorch_cuba_lif_subtract
// SUBTRACT:      input x
// SUBTRACT-NEXT: pending = v > v_threshold
// SUBTRACT-NEXT: i = i + k_syn * (w_in * x - i)
// SUBTRACT-NEXT: v = v + k_mem * (v_leak - v + r * i)
// SUBTRACT-NEXT: v = v - v_threshold if pending else v
// SUBTRACT-NEXT: z = v > v_threshold
// SUBTRACT-NEXT: v = (v if pending else v - v_threshold) if z else v + v_threshold if pending else v
// SUBTRACT-NEXT: emit spike z
// SUBTRACT-LABEL: neuron snntorch_if_subtract
// SUBTRACT:      input x
// SUBTRACT-NEXT: pending = v > v_threshold
// SUBTRACT-NEXT: v = v + r * x
// SUBTRACT-NEXT: v = v - v_threshold if pending else v
// SUBTRACT-NEXT: z = v > v_threshold
// SUBTRACT-NEXT: v = (v if pending else v - v_threshold) if z else v + v_threshold if pending else v
// SUBTRACT-NEXT: emit spike z
// ZERO-LABEL: neuron snntorch_lif_zero
// ZERO:      input x
// ZERO-NEXT: v = v + k * (v_leak - v + r * x)
// ZERO-NEXT: z = v > v_threshold
// ZERO-NEXT: v = 0 if z else v
// ZERO-NEXT: emit spike z
// ZERO-LABEL: neuron snntorch_cuba_lif_zero
// ZERO:      input x
// ZERO-NEXT: i = i + k_syn * (w_in * x - i)
// ZERO-NEXT: v = v + k_mem * (v_leak - v + r * i)
// ZERO-NEXT: z = v > v_threshold
// ZERO-NEXT: v = 0 if z else v
// ZERO-NEXT: emit spike z
// ZERO-LABEL: neuron snntorch_if_zero
// ZERO:      input x
// ZERO-NEXT: v = v + r * x
// ZERO-NEXT: z = v > v_threshold
// ZERO-NEXT: v = 0 if z else v
// ZERO-NEXT: emit spike z
nir.graph @families("in" %x: tensor<1xf32>) -> ("cuba_lif out": tensor<1xi1>, "if out": tensor<1xi1>) {
  %n0 = nir.cuba_lif "cuba_lif 1" %x {tau_syn = #nopt.array<0.0078125 : tensor<f32>>, tau_mem = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.25 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>, w_in = #nopt.array<4.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %n1 = nir.if "if 1" %x {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %n0, %n1 : tensor<1xi1>, tensor<1xi1>
}
