// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=nengo}' | filecheck %s
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=nengo}' -t neuron | filecheck %s --check-prefix=RULE
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=nengo reset=subtract}' -t neuron | filecheck %s --check-prefix=SUBTRACT
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=nengo reset=zero}' -t neuron | filecheck %s --check-prefix=ZERO
// RUN: cat %S/inputs/loop.mlir %s | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=nengo reset=half}' 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: cat %S/inputs/loop.mlir %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=nengo options="bound=zero"}' -t neuron | filecheck %s --check-prefix=BOUND

// Exact for a constant input: a = exp(-0.032) = 0.968507, b = 1 - a = 0.0314934. The input of a CubaLIF has a delay of a tick.
// CHECK-LABEL: ntensor.update @nengo_lif
// CHECK:         } step {
// CHECK-NEXT:    ^bb0([[X:%[^:]+]]: f64, [[V:%[^:]+]]: f64, [[R_2:%[^:]+]]: f64, [[V_LEAK_2:%[^:]+]]: f64, [[V_THRESHOLD_2:%[^:]+]]: f64, [[V_RESET_2:%[^:]+]]: f64, [[A_2:%[^:]+]]: f64, [[B_2:%[^:]+]]: f64):
// CHECK-NEXT:      [[N9:%\S+]] = arith.mulf [[A_2]], [[V]] : f64
// CHECK-NEXT:      [[N10:%\S+]] = arith.mulf [[R_2]], [[X]] : f64
// CHECK-NEXT:      [[N11:%\S+]] = arith.addf [[V_LEAK_2]], [[N10]] : f64
// CHECK-NEXT:      [[N12:%\S+]] = arith.mulf [[B_2]], [[N11]] : f64
// CHECK-NEXT:      [[N13:%\S+]] = arith.addf [[N9]], [[N12]] : f64
// CHECK-NEXT:      [[V_1:%\S+]] = ntensor.let "v" [[N13]] : f64
// CHECK-NEXT:      [[N14:%\S+]] = arith.cmpf ogt, [[V_1]], [[V_THRESHOLD_2]] : f64
// CHECK-NEXT:      [[Z:%\S+]] = ntensor.let "z" [[N14]] : i1
// CHECK-NEXT:      [[N15:%\S+]] = arith.select [[Z]], [[V_RESET_2]], [[V_1]] : f64
// CHECK-NEXT:      [[V_3:%\S+]] = ntensor.let "v" [[N15]] : f64
// CHECK-NEXT:      ntensor.emit [[Z]], [[V_3]] : i1, f64
// CHECK-LABEL: ntensor.network @loop
// CHECK-NEXT:    [[W:%\S+]] = ntensor.linear "w" [[IN:%\S+]] {{.*}} : tensor<1xf64> -> tensor<1xf64>
// CHECK-NEXT:    [[N0:%\S+]] = ntensor.delay "lif.delay" [[LIF:%\S+]] {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xi1>
// CHECK-NEXT:    [[REC:%\S+]] = ntensor.linear "rec" [[N0]] {{.*}} : tensor<1xi1> -> tensor<1xf64>
// CHECK-NEXT:    [[N1:%\S+]] = ntensor.sum [[REC]], [[W]] : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT:    [[LIF]] = ntensor.neuron "lif" @nengo_lif.value.none([[N1]]) {family = "lif", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_leak = #nopt.array<0.25 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<-0.5 : tensor<f64>>, a = #nopt.array<0.9685065820791976 : tensor<f64>>, b = #nopt.array<0.0314934179208024 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
// CHECK-NEXT:    ntensor.output [[LIF]] : tensor<1xi1>
// CHECK-LABEL: ntensor.network @families
// CHECK-NEXT:    [[N0:%\S+]] = ntensor.delay "cuba_lif 1.input" [[IN:%\S+]] {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xf64>
// CHECK-NEXT:    [[CUBA_LIF:%\S+]] = ntensor.neuron "cuba_lif 1" @nengo_cuba_lif.value.none([[N0]]) {family = "cuba_lif", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_leak = #nopt.array<0.25 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<-0.5 : tensor<f64>>, w_in = #nopt.array<4.0 : tensor<f64>>, k_syn = #nopt.array<0.128 : tensor<f64>>, a = #nopt.array<0.9685065820791976 : tensor<f64>>, b = #nopt.array<0.0314934179208024 : tensor<f64>>}, initial = {i = #nopt.array<0.0 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
// CHECK-NEXT:    [[IF:%\S+]] = ntensor.neuron "if 1" @nengo_if.value([[IN]]) {family = "if", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<-0.5 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
// CHECK-NEXT:    [[LI:%\S+]] = ntensor.neuron "li 1" @nengo_li([[IN]]) {family = "li", canonical = {{.*}}, params = {r = #nopt.array<2.0 : tensor<f64>>, v_leak = #nopt.array<0.25 : tensor<f64>>, a = #nopt.array<0.9685065820791976 : tensor<f64>>, b = #nopt.array<0.0314934179208024 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xf64>
// CHECK-NEXT:    ntensor.output [[CUBA_LIF]], [[IF]], [[LI]] : tensor<1xi1>, tensor<1xi1>, tensor<1xf64>

// The preset supports no other reset.
// REFUSED:      error[ANA019]: option reset has no value half
// REFUSED-NEXT:   at: reset=half
// REFUSED-NEXT:   expected: value or zero or subtract

// RULE-LABEL: neuron nengo_lif_value_none
// RULE-NEXT:  param tau, r, v_leak, v_threshold, v_reset
// RULE-NEXT:  param a = exp(-dt / tau)
// RULE-NEXT:  param b = 1 - exp(-dt / tau)
// RULE-NEXT:  canonical decay = a
// RULE-NEXT:  canonical gain = b * r
// RULE-NEXT:  canonical leak = v_leak
// RULE-NEXT:  canonical threshold = v_threshold
// RULE-NEXT:  state v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  v = a * v + b * (v_leak + r * x)
// RULE-NEXT:  z = v > v_threshold
// RULE-NEXT:  v = v_reset if z else v
// RULE-NEXT:  emit spike z
// RULE-LABEL: neuron nengo_cuba_lif_value_none
// RULE-NEXT:  param tau_syn, tau_mem, r, v_leak, v_threshold, v_reset, w_in
// RULE-NEXT:  param k_syn = dt / tau_syn
// RULE-NEXT:  param a = exp(-dt / tau_mem)
// RULE-NEXT:  param b = 1 - exp(-dt / tau_mem)
// RULE-NEXT:  canonical decay_i = 1 - k_syn
// RULE-NEXT:  canonical gain_i = k_syn * w_in
// RULE-NEXT:  canonical decay = a
// RULE-NEXT:  canonical gain = b * r
// RULE-NEXT:  canonical leak = v_leak
// RULE-NEXT:  canonical threshold = v_threshold
// RULE-NEXT:  state i = 0, v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  i = i + k_syn * (w_in * x - i)
// RULE-NEXT:  v = a * v + b * (v_leak + r * i)
// RULE-NEXT:  z = v > v_threshold
// RULE-NEXT:  v = v_reset if z else v
// RULE-NEXT:  emit spike z
// RULE-LABEL: neuron nengo_if_value
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
// RULE-LABEL: neuron nengo_li
// RULE-NEXT:  param tau, r, v_leak
// RULE-NEXT:  param a = exp(-dt / tau)
// RULE-NEXT:  param b = 1 - exp(-dt / tau)
// RULE-NEXT:  canonical decay = a
// RULE-NEXT:  canonical gain = b * r
// RULE-NEXT:  canonical leak = v_leak
// RULE-NEXT:  state v = 0
// RULE-NEXT:  input x
// RULE-NEXT:  v = a * v + b * (v_leak + r * x)
// RULE-NEXT:  emit value v
// SUBTRACT-LABEL: neuron nengo_lif_subtract_none
// SUBTRACT:      input x
// SUBTRACT-NEXT: v = a * v + b * (v_leak + r * x)
// SUBTRACT-NEXT: z = v > v_threshold
// SUBTRACT-NEXT: v = v - v_threshold if z else v
// SUBTRACT-NEXT: emit spike z
// SUBTRACT-LABEL: neuron nengo_cuba_lif_subtract_none
// SUBTRACT:      input x
// SUBTRACT-NEXT: i = i + k_syn * (w_in * x - i)
// SUBTRACT-NEXT: v = a * v + b * (v_leak + r * i)
// SUBTRACT-NEXT: z = v > v_threshold
// SUBTRACT-NEXT: v = v - v_threshold if z else v
// SUBTRACT-NEXT: emit spike z
// SUBTRACT-LABEL: neuron nengo_if_subtract
// SUBTRACT:      input x
// SUBTRACT-NEXT: v = v + r * x
// SUBTRACT-NEXT: z = v > v_threshold
// SUBTRACT-NEXT: v = v - v_threshold if z else v
// SUBTRACT-NEXT: emit spike z
// ZERO-LABEL: neuron nengo_lif_zero_none
// ZERO:      input x
// ZERO-NEXT: v = a * v + b * (v_leak + r * x)
// ZERO-NEXT: z = v > v_threshold
// ZERO-NEXT: v = 0 if z else v
// ZERO-NEXT: emit spike z
// ZERO-LABEL: neuron nengo_cuba_lif_zero_none
// ZERO:      input x
// ZERO-NEXT: i = i + k_syn * (w_in * x - i)
// ZERO-NEXT: v = a * v + b * (v_leak + r * i)
// ZERO-NEXT: z = v > v_threshold
// ZERO-NEXT: v = 0 if z else v
// ZERO-NEXT: emit spike z
// ZERO-LABEL: neuron nengo_if_zero
// ZERO:      input x
// ZERO-NEXT: v = v + r * x
// ZERO-NEXT: z = v > v_threshold
// ZERO-NEXT: v = 0 if z else v
// ZERO-NEXT: emit spike z
// BOUND-LABEL: neuron nengo_lif_value_zero
// BOUND:      input x
// BOUND-NEXT: v = a * v + b * (v_leak + r * x)
// BOUND-NEXT: z = v > v_threshold
// BOUND-NEXT: v = max(v, 0)
// BOUND-NEXT: v = v_reset if z else v
// BOUND-NEXT: emit spike z
// BOUND-LABEL: neuron nengo_cuba_lif_value_zero
// BOUND:      input x
// BOUND-NEXT: i = i + k_syn * (w_in * x - i)
// BOUND-NEXT: v = a * v + b * (v_leak + r * i)
// BOUND-NEXT: z = v > v_threshold
// BOUND-NEXT: v = max(v, 0)
// BOUND-NEXT: v = v_reset if z else v
// BOUND-NEXT: emit spike z
nir.graph @families("in" %x: tensor<1xf32>) -> ("cuba_lif out": tensor<1xi1>, "if out": tensor<1xi1>, "li out": tensor<1xf32>) {
  %n0 = nir.cuba_lif "cuba_lif 1" %x {tau_syn = #nopt.array<0.0078125 : tensor<f32>>, tau_mem = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.25 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>, w_in = #nopt.array<4.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %n1 = nir.if "if 1" %x {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %n2 = nir.li "li 1" %x {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.25 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %n0, %n1, %n2 : tensor<1xi1>, tensor<1xi1>, tensor<1xf32>
}
