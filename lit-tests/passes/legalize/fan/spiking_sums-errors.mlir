// RUN: not nopt %s --split-input-file -p 'ntensor-split-fan-in{max-fan-in=2 code=spikes}' 2>&1 | filecheck %s
// RUN: not nopt %s --split-input-file -p 'ntensor-split-fan-in{max-fan-in=2 code=spikes load=0}' 2>&1 | filecheck %s --check-prefix=LOAD

// LOAD:      error[LEG045]: the load of partial sums is out of range
// LOAD-NEXT:   at: load=0
// LOAD-NEXT:   expected: above 0 to 1
// LOAD-NEXT:   found: 0
// LOAD-NEXT:   help: nopt {{.*}}spiking_sums-errors.mlir --split-input-file -p 'ntensor-split-fan-in{max-fan-in=2 code=spikes}'

// Parts of two synapses are four, which the neuron has as synapses.
// CHECK:      error[LEG044]: there are too many partial sums
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: at most 2 partial sums
// CHECK-NEXT:   found: 4
// CHECK-NEXT:   help: nopt {{.*}}spiking_sums-errors.mlir --split-input-file -p 'ntensor-split-fan-in{max-fan-in=4 code=spikes}'
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @reals("in" %x: tensor<7xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, -2.0, 3.0, 5.0, 7.0, 9.0, -4.0]] : tensor<1x7xf64>>} : tensor<7xi1> -> tensor<1xf64>
  %y = ntensor.delay "late" %a {ticks = #nopt.array<2 : tensor<i64>>} : tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Integers have no partial sums of reals.
// CHECK:      error[LEG044]: partial sums cannot be sent as spikes
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: sums of reals
// CHECK-NEXT:   found: i16
// CHECK-NEXT:   help: split before the conversion to integers
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @integers("in" %x: tensor<7xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, -2, 3, 5, 7, 9, -4]] : tensor<1x7xi8>>} : tensor<7xi1> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// An exponent multiplies the whole sum.
// CHECK:      error[LEG044]: partial sums cannot be sent as spikes
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: sums without an exponent
// CHECK-NEXT:   found: an exponent
// CHECK-NEXT:   help: fold the exponent into the weights
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @reals("in" %x: tensor<7xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, -2.0, 3.0, 5.0, 7.0, 9.0, -4.0]] : tensor<1x7xf64>>, exponent = #nopt.array<1 : tensor<i8>>} : tensor<7xi1> -> tensor<1xf64>
  %y = ntensor.delay "late" %a {ticks = #nopt.array<2 : tensor<i64>>} : tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
