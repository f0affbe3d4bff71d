// RUN: not nopt %s -p 'ntensor-split-fan-out{max-fan-out=2}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-split-fan-out{max-fan-out=2 stretch-loops=true}' | filecheck %s --check-prefix=LONGER
// RUN: not nopt %s -p 'ntensor-split-fan-out{max-fan-out=1}' 2>&1 | filecheck %s --check-prefix=NONE

// LONGER: ntensor.network @tight
// LONGER-SAME: "loops wait longer: back by
// NONE: error[LEG019]: a fan-out is at least 2
// NONE-NEXT:   at: max-fan-out=1
// NONE-NEXT:   expected: 2 or more
// NONE-NEXT:   found: 1
// NONE-NEXT:   help: nopt {{.*}}ntensor_split_fan_out-errors.mlir -p 'ntensor-split-fan-out{max-fan-out=2}'

// Five slices need two levels of splitters, two ticks; the loop has one.
// CHECK: error[LEG057]: a loop has fewer ticks of delay than it needs
// CHECK-NEXT:   at: ntensor.neuron "a"
// CHECK-NEXT:   expected: 2 ticks
// CHECK-NEXT:   found: 1 tick: ntensor.neuron "a" -> ntensor.neuron "a.split1.1" -> ntensor.neuron "a.split2" -> ntensor.neuron "b" -> ntensor.neuron "a"
// CHECK-NEXT:   help: nopt {{.*}}ntensor_split_fan_out-errors.mlir -p 'ntensor-split-fan-out{max-fan-out=2 stretch-loops=true}'
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @tight("in" %x: tensor<3xi1>) -> ("out": tensor<3xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] : tensor<3x3xf64>>} : tensor<3xi1> -> tensor<3xf64>
  %r = ntensor.linear "rec" %w {weight = #nopt.array<[[1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0]] : tensor<3x5xf64>>} : tensor<5xi1> -> tensor<3xf64>
  %k = ntensor.sum %h, %r : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}} : (tensor<3xf64>) -> tensor<3xi1>
  %i = ntensor.linear "on" %a {weight = #nopt.array<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]] : tensor<5x3xf64>>} : tensor<3xi1> -> tensor<5xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]], [[2, 3]], [[3, 4]], [[4, 5]]] : tensor<5x1x2xi64>>} : (tensor<5xf64>) -> tensor<5xi1>
  %w = ntensor.delay "back" %b {ticks = #nopt.array<1 : tensor<i64>>} : tensor<5xi1>
  ntensor.output %a : tensor<3xi1>
}
