// RUN: not nopt %s --split-input-file -p ntensor-retime 2>&1 | filecheck %s
// RUN: not nopt %s -p 'ntensor-retime{op-ticks=0}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not nopt %s -p 'ntensor-retime{op-ticks=1000000}' 2>&1 | filecheck %s --check-prefix=LONG
// RUN: nopt %S/../inputs/short_loop.mlir -p 'ntensor-retime{stretch-loops=true}' | filecheck %s --check-prefix=LONGER
// RUN: nopt %S/../inputs/eager.mlir -p 'ntensor-retime{allow-early=true}' | filecheck %s --check-prefix=EARLY

// NONE: error[LEG059]: invalid latency of a path
// NONE-NEXT:   at: op-ticks=0
// NONE-NEXT:   expected: 1 to 4096 ticks
// NONE-NEXT:   found: 0
// NONE-NEXT:   help: nopt {{.*}}ntensor_retime-errors.mlir -p 'ntensor-retime{op-ticks=1}'

// LONG: error[LEG059]: invalid latency of a path
// LONG-NEXT:   at: op-ticks=1000000

// LONGER: ntensor.network @two
// LONGER-SAME: #ntensor.approximation<"ntensor-retime{stretch-loops=true}", "loops wait longer: back by 1", ["back", "a", "b"], 1.000000e+00 : f64, 1.000000e+00 : f64, "ticks">
// EARLY: ntensor.network @hasty
// EARLY-SAME: #ntensor.approximation<"ntensor-retime{allow-early=true}", "populations are ahead of their input: a by 1 ticks", ["a"], none, none, "none">

// The loop has a delay of one tick, and two hops.
// CHECK: error[LEG057]: a loop has fewer ticks of delay than it needs
// CHECK-NEXT:   at: ntensor.neuron "a"
// CHECK-NEXT:   expected: 2 ticks, one for each path that takes time
// CHECK-NEXT:   found: 1 tick: ntensor.neuron "a" -> ntensor.neuron "b" -> ntensor.neuron "a"
// CHECK-NEXT:   help: nopt {{.*}}ntensor_retime-errors.mlir --split-input-file -p 'ntensor-retime{stretch-loops=true}'
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @two("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %r = ntensor.linear "rec" %w {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %k = ntensor.sum %h, %r : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.linear "on" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %w = ntensor.delay "back" %b {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}

// -----

// The population fires whenever its input is not negative, and so before the first event.
// CHECK: error[LEG058]: a population does not wait for its delayed input
// CHECK-NEXT:   at: ntensor.neuron "a"
// CHECK-NEXT:   expected: the same state for 1 ticks without any event
// CHECK-NEXT:   found: another one
// CHECK-NEXT:   help: nopt {{.*}}ntensor_retime-errors.mlir --split-input-file -p 'ntensor-retime{allow-early=true}'
ntensor.update @eager <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf oge, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @hasty("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @eager(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}
