// RUN: nopt %s --split-input-file -p ntensor-move-readout-to-host | filecheck %s
// RUN: nopt %s --split-input-file -p ntensor-move-readout-to-host | nopt - --split-input-file -p ntensor-quantize-weights | filecheck %s --check-prefix=ASIDE

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

// The synapses and the population of values leave the chip; the delay of spikes before them does, too, since nothing else reads it.
// CHECK-LABEL: ntensor.network @readout
// CHECK-NEXT:    ntensor.linear "fc1" %{{\S+}} {weight =
// CHECK-NEXT:    ntensor.neuron "lif" @pass({{.*}}) {params = {}, initial = {}}
// CHECK-NEXT:    ntensor.delay "late" %{{\S+}} {machine.host, ticks =
// CHECK-NEXT:    ntensor.linear "fc2" %{{\S+}} {machine.host, weight =
// CHECK-NEXT:    ntensor.neuron "i" @add({{.*}}) {machine.host, params =
// CHECK-NEXT:    ntensor.output

// Passes work on the ops of the chip alone: the weights on the host stay reals.
// ASIDE-LABEL: ntensor.network @readout
// ASIDE-NEXT:    ntensor.linear "fc1" %{{\S+}} {weight = #nopt.array<{{.*}}xi8>>, quantized =
// ASIDE:         ntensor.linear "fc2" %{{\S+}} {machine.host, weight = #nopt.array<{{.*}}xf64>>}
ntensor.network @readout("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @pass(%a) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %d = ntensor.delay "late" %z {ticks = #nopt.array<3 : tensor<i64>>} : tensor<1xi1>
  %b = ntensor.linear "fc2" %d {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %v = ntensor.neuron "i" @add(%b) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xf64>
  ntensor.output %v : tensor<1xf64>
}

// -----

ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}

// Two heads of one population, of which one has a bias. Spikes that are an output themselves stay.
// CHECK-LABEL: ntensor.network @heads
// CHECK:         ntensor.linear "a" %{{\S+}} {machine.host, weight = {{.*}} bias =
// CHECK-NEXT:    ntensor.linear "b" %{{\S+}} {machine.host, weight =
// CHECK-NEXT:    ntensor.output %lif, %
// ASIDE-LABEL: ntensor.network @heads
ntensor.network @heads("in" %x: tensor<1xf64>) -> ("spikes": tensor<1xi1>, "one": tensor<1xf64>, "two": tensor<2xf64>) attributes {tick_ns = 1000} {
  %lif = ntensor.neuron "lif" @pass(%x) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %a = ntensor.linear "a" %lif {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>, bias = #nopt.array<[0.1] : tensor<1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %b = ntensor.linear "b" %lif {weight = #nopt.array<[[0.3], [0.5]] : tensor<2x1xf64>>} : tensor<1xi1> -> tensor<2xf64>
  ntensor.output %lif, %a, %b : tensor<1xi1>, tensor<1xf64>, tensor<2xf64>
}
