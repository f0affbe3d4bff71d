// RUN: not nopt %s --split-input-file -p 'ntensor-move-readout-to-host' 2>&1 | filecheck %s
// RUN: not nopt %s --split-input-file -p 'ntensor-move-readout-to-host{outputs=owt}' 2>&1 | filecheck %s --check-prefix=NAME

ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.update @same <value> inputs ["x"] step {
^bb0(%x: f64):
  ntensor.emit %x : f64
}

// A population of values that reads itself is not a readout.
// CHECK:      error[LEG181]: a readout has a loop [readout-recurrent]
// CHECK-NEXT:   at: ntensor.neuron "li"
// CHECK-NEXT:   expected: values that only reach outputs
// CHECK-NEXT:   found: "li" -> "again" -> "d" -> "li"
// CHECK-NEXT:   help: nopt check

// NAME:      error[ANA031]: ntensor-move-readout-to-host has no output "owt" to work on
// NAME-NEXT:   at: outputs
// NAME-NEXT:   expected: one of out
// NAME-NEXT:   found: owt
// NAME-NEXT:   help: nopt {{.*}} -p 'ntensor-move-readout-to-host{outputs=out}'
ntensor.network @recurrent("in" %x: tensor<1xf64>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "lif" @pass(%x) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %a = ntensor.linear "fc" %z {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %s = ntensor.sum %a, %d : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %v = ntensor.neuron "li" @same(%s) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xf64>
  %r = ntensor.linear "again" %v {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>} : tensor<1xf64> -> tensor<1xf64>
  %d = ntensor.delay "d" %r {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xf64>
  ntensor.output %v : tensor<1xf64>
}

// -----

ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}

// The sums of "fc" are an output, and a population of the chip reads them.
// CHECK:      error[LEG180]: a population of the chip reads the values of a readout [readout-feeds-chip]
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: values that only reach outputs
// CHECK-NEXT:   found: "fc" -> "last"
ntensor.network @feeds("in" %x: tensor<1xf64>) -> ("out": tensor<1xf64>, "spikes": tensor<1xi1>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "lif" @pass(%x) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %a = ntensor.linear "fc" %z {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %y = ntensor.neuron "last" @pass(%a) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %a, %y : tensor<1xf64>, tensor<1xi1>
}

// -----

// No population sends spikes.
// CHECK:      error[LEG182]: a readout reads no population with spikes [readout-without-spikes]
// CHECK-NEXT:   at: input "in"
// CHECK-NEXT:   expected: spikes of a population
// CHECK-NEXT:   found: the input "in"
ntensor.network @alone("in" %x: tensor<1xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  ntensor.output %a : tensor<1xf64>
}

// -----

ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}

// CHECK:      error[LEG183]: the weights of a readout learn [readout-learns]
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: weights that stay as they are
// CHECK-NEXT:   found: weights that learn
// CHECK-NEXT:   help: nopt {{.*}} -p 'ntensor-freeze-plasticity{nodes=fc},ntensor-move-readout-to-host'
ntensor.network @learns("in" %x: tensor<1xf64>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "lif" @pass(%x) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %a = ntensor.linear "fc" %z {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1xi1> -> tensor<1xf64>
  ntensor.output %a : tensor<1xf64>
}

// -----

ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}

// CHECK:      error[LEG185]: the host does not compute an op of a readout [readout-op-unsupported]
// CHECK-NEXT:   at: ntensor.sparse_linear "fc"
// CHECK-NEXT:   expected: synapses without delays, pools, scales, sums, delays, and populations of reals
// CHECK-NEXT:   found: ntensor.sparse_linear with delays of synapses
ntensor.network @delays("in" %x: tensor<1xf64>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "lif" @pass(%x) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %a = ntensor.sparse_linear "fc" %z {weight = #nopt.array<[0.3] : tensor<1xf64>>, source = #nopt.array<[0] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, delay = #nopt.array<[2] : tensor<1xi64>>} : tensor<1xi1> -> tensor<1xf64>
  ntensor.output %a : tensor<1xf64>
}
