// RUN: not nopt %s -p ntensor-retime 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-retime{allow-early=true}' | filecheck %s --check-prefix=EARLY

// EARLY: #ntensor.approximation<"ntensor-retime{allow-early=true}", "populations are ahead of their input: a by 1 ticks, b by 2 ticks", ["a", "b"], none, none, "none">

// All populations that act too early are listed.
// CHECK: error[LEG058]: a population does not wait for its delayed input
// CHECK-NEXT:   at: ntensor.neuron "a"
// CHECK-NEXT:   expected: the same state for 1 ticks without any event
// CHECK-NEXT:   found: another one
// CHECK-NEXT:   help: nopt {{.*}}retiming_check-errors.mlir -p 'ntensor-retime{allow-early=true}'
// CHECK-NEXT:   note: "b" does not wait either
ntensor.update @eager <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.cmpf oge, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @both("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @eager(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.linear "on" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @eager(%i) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}
