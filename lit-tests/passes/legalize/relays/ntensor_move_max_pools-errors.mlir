// RUN: not nopt %s --split-input-file -p 'ntensor-move-max-pools' 2>&1 | filecheck %s

// The result of a max pool is an output.
// CHECK:      error[LEG103]: a max pool cannot be moved after a population [max-pool-not-movable]
// CHECK-NEXT:   at: ntensor.max_pool2d "pool"
// CHECK-NEXT:   expected: one population of spikes, without another input
// CHECK-NEXT:   found: ntensor.output
ntensor.network @output("in" %x: tensor<1x1x2xf64>) -> ("out": tensor<1x1x1xf64>) attributes {tick_ns = 1000000} {
  %m = ntensor.max_pool2d "pool" %x {kernel = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x2xf64> -> tensor<1x1x1xf64>
  ntensor.output %m : tensor<1x1x1xf64>
}

// -----

// A population of values has no spikes to pool.
// CHECK:      error[LEG103]
// CHECK-NEXT:   at: ntensor.max_pool2d "pool"
// CHECK-NEXT:   expected: one population of spikes, without another input
// CHECK-NEXT:   found: ntensor.neuron "one", which emits f64
ntensor.update @same <value> inputs ["x"] step {
^bb0(%x: f64):
  ntensor.emit %x : f64
}
ntensor.network @values("in" %x: tensor<1x1x2xf64>) -> ("out": tensor<1x1x1xf64>) attributes {tick_ns = 1000000} {
  %m = ntensor.max_pool2d "pool" %x {kernel = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x2xf64> -> tensor<1x1x1xf64>
  %z = ntensor.neuron "one" @same(%m) {params = {}, initial = {}} : (tensor<1x1x1xf64>) -> tensor<1x1x1xf64>
  ntensor.output %z : tensor<1x1x1xf64>
}
