// RUN: nopt %s -p 'ntensor-set-probes{probes=lif1,"lif1:v","lif1:v","a:b","lif1.x:u"}' | filecheck %s
// RUN: nopt %s -p 'ntensor-set-probes{probes="lif1, lif1:spikes"}' | filecheck %s --check-prefix=SPIKES
// RUN: nopt %s -p 'ntensor-set-probes{probes=lif1},ntensor-set-probes' | filecheck %s --check-prefix=NONE

// Probes are the names of arrays of a run, each once. A population whose name has a colon is found first.
// CHECK:      ntensor.network @net
// CHECK-SAME: attributes {tick_ns = 1000 : i64, ntensor.probes = ["lif1", "lif1.v", "a:b", "lif1.x.u"]}
// SPIKES: ntensor.probes = ["lif1"]
// NONE-NOT: ntensor.probes

// Lowerings keep the attribute, and a population with a probe is not dead.
// RUN: nopt %s -p 'ntensor-set-probes{probes=lif1,"lif1.x"},ntensor-remove-dead' | filecheck %s --check-prefix=DEAD
// DEAD:     ntensor.neuron "lif1"
// DEAD-NOT: ntensor.neuron "a:b"
// DEAD:     ntensor.neuron "lif1.x"

ntensor.update @lif <spike> inputs ["x"] states ["v"] params [] raw [] canonical [] records [] derive {
^bb0(%dt: f64):
  ntensor.derived
} initial {
^bb0:
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64):
  %z = arith.cmpf ogt, %x, %v : f64
  ntensor.emit %z, %x : i1, f64
}
ntensor.network @net("input" %x: tensor<2xf64>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.neuron "lif1" @lif(%x) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  %b = ntensor.neuron "a:b" @lif(%x) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  %c = ntensor.neuron "lif1.x" @lif(%x) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}
