// RUN: not nopt %s --split-input-file -p 'ntensor-split-fan-in{max-fan-in=2}' 2>&1 | filecheck %s
// RUN: not nopt %s --split-input-file -p 'ntensor-split-fan-in{max-fan-in=1}' 2>&1 | filecheck %s --check-prefix=ONE
// RUN: nopt %S/../inputs/many_reals.mlir -p 'ntensor-split-fan-in{max-fan-in=2 reorder=true}' | filecheck %s --check-prefix=HELP
// HELP: ntensor.network @reals
// HELP-SAME: "split into partial sums of 2 synapses, which are added in another order", ["lif"], none, none, "none"
// RUN: nopt %S/../inputs/many_reals.mlir -p 'ntensor-split-fan-in{max-fan-in=4}' -o /dev/null

// ONE: error[LEG040]: a neuron has at least two synapses
// ONE-NEXT:   at: max-fan-in=1
// ONE-NEXT:   expected: 2 or more
// ONE-NEXT:   found: 1
// ONE-NEXT:   help: nopt {{.*}}ntensor_split_fan_in-errors.mlir --split-input-file -p 'ntensor-split-fan-in{max-fan-in=2}'

// 4 + 4 - 4 saturates at 7, and is 3; 4 - 4 + 4 is 4.
// CHECK: error[LEG041]: @each adds every event of a to v on its own
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: at most 2 synapses
// CHECK-NEXT:   found: 3 synapses of `input a each into v`
// CHECK-NEXT:   help: convert the population to a neuron whose input is a sum: ntensor-set-neuron-model{to=FILE.neuron}
ntensor.update @each <spike> states ["v"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-8, 7>
  ntensor.initial %1 : !fixed.int<-8, 7>
} step {
^bb0(%v: !fixed.int<-8, 7>):
  %2 = fixed.constant 5 : !fixed.int<5, 5>
  %3 = fixed.cmp gt %v, %2 : !fixed.int<-8, 7>, !fixed.int<5, 5>
  ntensor.emit %3, %v : i1, !fixed.int<-8, 7>
} each ["a"] into ["v"] accumulate {
^bb0(%a: !fixed.int<-8, 7>, %v: !fixed.int<-8, 7>):
  %4 = fixed.add %v, %a : !fixed.int<-8, 7>, !fixed.int<-8, 7> -> !fixed.int<-16, 14>
  %5 = fixed.saturate %4 : !fixed.int<-16, 14> -> !fixed.int<-8, 7>
  ntensor.accumulated %5 : !fixed.int<-8, 7>
}
ntensor.network @terms("in" %x: tensor<3xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[4, 4, -4]] : tensor<1x3xi8>>} : tensor<3xi1> -> tensor<1x!ntensor.terms<4>>
  %z = ntensor.neuron "lif" @each(%y) {params = {}, initial = {v = #nopt.array<0 : tensor<i64>>}} : (tensor<1x!ntensor.terms<4>>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Sums of reals are not split.
// CHECK: error[LEG042]: partial sums of reals are rounded in another order
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: at most 2 synapses
// CHECK-NEXT:   found: 3 synapses of f64
// CHECK-NEXT:   help: nopt {{.*}}ntensor_split_fan_in-errors.mlir --split-input-file -p 'ntensor-split-fan-in{max-fan-in=2 reorder=true}'
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

// -----

// A pool of four is not split.
// CHECK: error[LEG043]: ntensor.sum_pool2d has no weights to deal out
// CHECK-NEXT:   at: ntensor.sum_pool2d "pool"
// CHECK-NEXT:   expected: at most 2 synapses
// CHECK-NEXT:   found: 4 synapses
// CHECK-NEXT:   help: nopt {{.*}}ntensor_split_fan_in-errors.mlir --split-input-file -p 'ntensor-split-fan-in{max-fan-in=4}'
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @pool("in" %x: tensor<1x2x2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xi16>
  %f = ntensor.reshape "flat" %y : tensor<1x1x1xi16> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%f) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// (1 + 1 + 1) >> 1 is 1, 1 >> 1 is 0.
// CHECK: error[LEG043]: a sum that is rounded by an exponent cannot be split
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: at most 2 synapses
// CHECK-NEXT:   found: 3 synapses
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @rounded("in" %x: tensor<3xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 1, 1]] : tensor<1x3xi8>>, exponent = #nopt.array<-1 : tensor<i64>>} : tensor<3xi1> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
