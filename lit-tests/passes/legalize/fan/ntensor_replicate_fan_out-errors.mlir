// RUN: not nopt %s -p 'ntensor-replicate-fan-out{max-fan-out=2}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-replicate-fan-out{max-fan-out=3}' | filecheck %s --check-prefix=HELP
// RUN: not nopt %s -p 'ntensor-replicate-fan-out{max-fan-out=0}' 2>&1 | filecheck %s --check-prefix=NONE

// HELP: ntensor.network @loop
// HELP-NOT: ntensor.neuron "a.copy
// NONE: error[LEG019]: a fan-out is at least 1
// NONE-NEXT:   at: max-fan-out=0
// NONE-NEXT:   expected: 1 or more
// NONE-NEXT:   found: 0
// NONE-NEXT:   help: nopt {{.*}}ntensor_replicate_fan_out-errors.mlir -p 'ntensor-replicate-fan-out{max-fan-out=1}'

// Each copy would send to its own two slices, and to no other.
// CHECK: error[LEG018]: a loop leaves no room for other readers
// CHECK-NEXT:   at: ntensor.neuron "a"
// CHECK-NEXT:   expected: at most 2 slices: those of the loop, and one more
// CHECK-NEXT:   found: 3 slices
// CHECK-NEXT:   help: nopt {{.*}}ntensor_replicate_fan_out-errors.mlir -p 'ntensor-replicate-fan-out{max-fan-out=3}'
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @loop("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %r = ntensor.linear "rec" %w {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %k = ntensor.sum %h, %r : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  %w = ntensor.delay "back" %a {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}
