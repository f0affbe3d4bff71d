// RUN: nopt %s --split-input-file -p 'ntensor-relay-delays{max-delay=4}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-split-fan-in{max-fan-in=2 reorder}' | filecheck %s --check-prefix=SUM

// A relay keeps the payload of a graded spike; all relays of a width share one update, which gets a new name if its name is used.
// CHECK:       ntensor.update @relay_graded_7 <spike>
// CHECK:       ntensor.update @"relay_graded_7'" <graded> inputs ["a"]
// CHECK:       ^bb0(%a: !fixed.int<-64, 63>):
// CHECK-NOT:   ntensor.update
// CHECK-LABEL: ntensor.network @graded
// CHECK:         ntensor.neuron "wait.relay1" @"relay_graded_7'"(
// CHECK:         ntensor.neuron "wait.relay2" @"relay_graded_7'"(
ntensor.update @relay_graded_7 <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @graded("in" %x: tensor<2x!ntensor.graded<7>>) -> ("out": tensor<2x!ntensor.graded<7>>) attributes {tick_ns = 1000} {
  %y = ntensor.delay "wait" %x {ticks = #nopt.array<12 : tensor<i64>>} : tensor<2x!ntensor.graded<7>>
  ntensor.output %y : tensor<2x!ntensor.graded<7>>
}

// -----

// Sums of reals are relayed as values.
// SUM:         ntensor.update @relay_value <value> inputs ["x"]
// SUM-LABEL:   ntensor.network @reals
// SUM:           ntensor.neuron "lif.part0" @relay_value(
// SUM:           ntensor.neuron "lif.part1" @relay_value(
ntensor.update @real <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @reals("in" %x: tensor<3xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0, 3.0]] : tensor<1x3xf64>>} : tensor<3xi1> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @real(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
