// RUN: not nopt %s --split-input-file -p 'ntensor-replicate-fan-out{max-fan-out=1}' 2>&1 | filecheck %s

// Through its delay neuron 0 reaches the other slice of its own population, and so would each copy of it; it has one target.
// CHECK: error[LEG018]: a loop leaves no room for other readers
// CHECK-NEXT:   at: ntensor.neuron "a"
// CHECK-NEXT:   expected: at most 1 slices: those of the loop, and one more
// CHECK-NEXT:   found: 2 slices
// CHECK-NEXT:   help: nopt {{.*}}fan_out-errors.mlir --split-input-file -p 'ntensor-replicate-fan-out{max-fan-out=2}'
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @own("in" %x: tensor<1x1x4xi1>) -> ("out": tensor<1x1x3xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.scale "in.scale" %x {scale = #nopt.array<1.0 : tensor<f64>>} : tensor<1x1x4xi1> -> tensor<1x1x4xf64>
  %i = ntensor.conv2d "conv" %w {weight = #nopt.array<[[[[1.0, 1.0]]]] : tensor<1x1x1x2xf64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x1x4xi1> -> tensor<1x1x3xf64>
  %z = ntensor.sparse_linear "pad" %w {weight = #nopt.array<[1.0] : tensor<1xf64>>, source = #nopt.array<[0] : tensor<1xi64>>, target = #nopt.array<[3] : tensor<1xi64>>} : tensor<1x1x4xi1> -> tensor<1x1x4xf64>
  %k = ntensor.sum %h, %z : (tensor<1x1x4xf64>, tensor<1x1x4xf64>) -> tensor<1x1x4xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1], [0, 1], [0, 2]], [[0, 1], [0, 1], [2, 4]]] : tensor<2x3x2xi64>>} : (tensor<1x1x4xf64>) -> tensor<1x1x4xi1>
  %w = ntensor.delay "back" %a {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1x1x4xi1>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}} : (tensor<1x1x3xf64>) -> tensor<1x1x3xi1>
  ntensor.output %b : tensor<1x1x3xi1>
}
