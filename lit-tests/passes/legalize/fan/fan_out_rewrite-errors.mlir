// RUN: not nopt %s -p 'ntensor-replicate-fan-out{max-fan-out=1}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-fold-scale,ntensor-replicate-fan-out{max-fan-out=1}' -o /dev/null

// Spikes that enter without a synapse have no weights.
// CHECK: error[LEG017]: the input of several slices of a population cannot be split
// CHECK-NEXT:   at: ntensor.neuron "b"
// CHECK-NEXT:   expected: synapses with weights
// CHECK-NEXT:   found: ntensor.scale "gain"
// CHECK-NEXT:   help: nopt {{.*}}fan_out_rewrite-errors.mlir -p 'ntensor-fold-scale,ntensor-replicate-fan-out{max-fan-out=1}'
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @direct("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 1.0]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %d = ntensor.linear "fan" %a {weight = #nopt.array<[[1.0], [1.0]] : tensor<2x1xf64>>} : tensor<1xi1> -> tensor<2xf64>
  %s = ntensor.scale "gain" %d {scale = #nopt.array<2.0 : tensor<f64>>} : tensor<2xf64> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%s) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}
