// RUN: not nopt %s -p 'ntensor-replicate-fan-out{max-fan-out=1}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-replicate-fan-out{max-fan-out=2}' -o /dev/null

// Two populations of a loop, and a third reader beyond the limit.
// CHECK: error[LEG018]: a loop leaves no room for other readers
// CHECK-NEXT:   at: ntensor.neuron "b"
// CHECK-NEXT:   expected: at most 1 slices: those of the loop, and one more
// CHECK-NEXT:   found: 2 slices
// CHECK-NEXT:   help: nopt {{.*}}replication-errors.mlir -p 'ntensor-replicate-fan-out{max-fan-out=2}'
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @pair("in" %x: tensor<1xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %r = ntensor.linear "back" %w {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %k = ntensor.sum %h, %r : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %b = ntensor.neuron "b" @over(%k) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %i = ntensor.linear "on" %b {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %c = ntensor.neuron "c" @over(%i) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %w = ntensor.delay "late" %c {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xi1>
  %j = ntensor.linear "out1" %b {weight = #nopt.array<[[1.0], [1.0]] : tensor<2x1xf64>>} : tensor<1xi1> -> tensor<2xf64>
  %d = ntensor.neuron "d" @over(%j) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %d : tensor<2xi1>
}
