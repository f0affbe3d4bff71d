// RUN: python %S/inputs/save.py %t.npy '[[1, 0], [0, 0], [1, 1], [0, 0]]'
// RUN: nopt run %s --input %t.npy --record fc.weight,fc.c -o %t.npz
// RUN: python %S/inputs/show.py %t.npz | filecheck %s

// The neuron spikes in ticks 0 and 2, since 1.0 and 1.5 reach its threshold of 1. Depression by 0.5 y at a presynaptic spike, y = 1 after a spike of the neuron:
// tick 0: y = 0 at the presynaptic spike, so the weight stays; then the neuron spikes. tick 2: 1.0 - 0.5 and 0.5 - 0.5.
// The weights of a tick act in the next one.
// CHECK-LABEL: fc.weight: float64
// CHECK-NEXT{LITERAL}: [[1.0, 0.5]]
// CHECK-NEXT{LITERAL}: [[1.0, 0.5]]
// CHECK-NEXT{LITERAL}: [[0.5, 0.0]]
// CHECK-NEXT{LITERAL}: [[0.5, 0.0]]
// The state of a synapse counts its presynaptic spikes.
// CHECK-LABEL: fc.c: float64
// CHECK-NEXT{LITERAL}: [[1.0, 0.0]]
// CHECK-NEXT{LITERAL}: [[1.0, 0.0]]
// CHECK-NEXT{LITERAL}: [[2.0, 1.0]]
// CHECK-NEXT{LITERAL}: [[2.0, 1.0]]
ntensor.rule @depress <axonal> weight "w" synapse ["c"] post ["y"] derive {
^bb0(%dt: f64):
  %low = arith.constant 0.0 : f64
  %high = arith.constant 1.0 : f64
  ntensor.derived %low, %high : f64, f64
} initial {
^bb0():
  %zero = arith.constant 0.0 : f64
  ntensor.initial %zero, %zero : f64, f64
} on ["pre", "post"] {
^bb0(%w: f64, %c: f64, %y: f64):
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %change = arith.mulf %half, %y : f64
  %next = arith.subf %w, %change : f64
  %count = arith.addf %c, %one : f64
  ntensor.learned %next, %count, %y : f64, f64, f64
} {
^bb0(%w: f64, %c: f64, %y: f64):
  %one = arith.constant 1.0 : f64
  ntensor.learned %w, %c, %one : f64, f64, f64
}
ntensor.update @threshold <spike> inputs ["x"] step {
^bb0(%x: f64):
  %one = arith.constant 1.0 : f64
  %z = arith.cmpf oge, %x, %one : f64
  ntensor.emit %z : i1
}
ntensor.network @n("x" %x: tensor<2xi1>) -> ("z": tensor<1xi1>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.5]] : tensor<1x2xf64>>, plasticity = #ntensor.learning<@depress>} : tensor<2xi1> -> tensor<1xf64>
  %z = ntensor.neuron "cell" @threshold(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
