// RUN: nopt %s --split-input-file -p 'ntensor-move-readout-to-host,ntensor-retime{op-ticks=1}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-move-readout-to-host,ntensor-retime{op-ticks=1}' | nopt - --split-input-file -t neuron | filecheck %s --check-prefix=RULE

ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.update @add <value> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64):
  %0 = arith.addf %v, %x : f64
  ntensor.emit %0, %0 : f64, f64
}

// The spikes of "b" are one tick later than those of "a", which wait on the host. A bias would move the population in the first tick, so that it waits for 2 ticks.
// RULE-LABEL: neuron add_late2
// RULE-NEXT:  state v = 0, wait = 2
// RULE:       v = v if wait > 0 else v + x
// RULE-NEXT:  wait = wait - 1 if wait > 0 else wait
// CHECK:       ntensor.update @add.late2 <value> inputs ["x"] states ["v", "wait"] initial {
// CHECK-LABEL: ntensor.network @biased
// CHECK-SAME:    machine.latency_ticks = {out = 2 : i64}
// CHECK:         ntensor.neuron "b"
// CHECK-NEXT:    ntensor.delay "a.spikes.wait1" %a {machine.host, ticks = #nopt.array<1
// CHECK-NEXT:    ntensor.linear "of_a" %{{\S+}} {machine.host, machine.latency = 2 : i64,
// CHECK-NEXT:    ntensor.linear "of_b" %{{\S+}} {machine.host, machine.latency = 2 : i64,
// CHECK-NEXT:    ntensor.sum
// CHECK-NEXT:    ntensor.neuron "i" @add.late2({{.*}}) {machine.host, machine.latency = 2 : i64, params = {}, initial = {v = {{.*}}, wait = #nopt.array<2.0 : tensor<f64>>}}
ntensor.network @biased("in" %x: tensor<1xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %in = ntensor.linear "in.a" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %a = ntensor.neuron "a" @pass(%in) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %c = ntensor.linear "a.b" %a {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %b = ntensor.neuron "b" @pass(%c) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %of_a = ntensor.linear "of_a" %a {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %of_b = ntensor.linear "of_b" %b {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>, bias = #nopt.array<[0.1] : tensor<1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %s = ntensor.sum %of_a, %of_b : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %v = ntensor.neuron "i" @add(%s) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xf64>
  ntensor.output %v : tensor<1xf64>
}

// -----

ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.update @add <value> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64):
  %0 = arith.addf %v, %x : f64
  ntensor.emit %0, %0 : f64, f64
}

// Without a bias the population rests until the first spike, so it does not wait.
// CHECK-LABEL: ntensor.network @resting
// CHECK-SAME:    machine.latency_ticks = {out = 1 : i64}
// CHECK:         ntensor.neuron "i" @add(
ntensor.network @resting("in" %x: tensor<1xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %in = ntensor.linear "in.a" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %a = ntensor.neuron "a" @pass(%in) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %of_a = ntensor.linear "of_a" %a {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %v = ntensor.neuron "i" @add(%of_a) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xf64>
  ntensor.output %v : tensor<1xf64>
}

// -----

ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}

// A delay would give the bias out before the first tick of the input has arrived: it gets zeros until then.
// RULE-LABEL: neuron readout_start_late1_f64
// RULE-NEXT:  state wait = 1
// RULE:       emit value 0 if wait > 0 else x
// RULE-NEXT:  wait = wait - 1 if wait > 0 else wait
// CHECK-LABEL: ntensor.network @delayed
// CHECK:         ntensor.linear "of_a" %{{\S+}} {machine.host, machine.latency = 1 : i64,
// CHECK-NEXT:    ntensor.neuron "late.start" @readout_start.late1.f64(%{{\S+}}) {machine.host, params = {}, initial = {wait = #nopt.array<1.0 : tensor<f64>>}}
// CHECK-NEXT:    ntensor.delay "late" %{{\S+}} {machine.host, machine.latency = 1 : i64, ticks = #nopt.array<2
ntensor.network @delayed("in" %x: tensor<1xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %in = ntensor.linear "in.a" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %a = ntensor.neuron "a" @pass(%in) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %of_a = ntensor.linear "of_a" %a {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>, bias = #nopt.array<[0.1] : tensor<1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %d = ntensor.delay "late" %of_a {ticks = #nopt.array<2 : tensor<i64>>} : tensor<1xf64>
  ntensor.output %d : tensor<1xf64>
}
