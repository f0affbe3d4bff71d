// RUN: not nopt %s -p 'ntensor-split-pools{load=0}' 2>&1 | filecheck %s --check-prefix=LOAD
// RUN: not nopt %s -p 'ntensor-split-pools{load=1.5}' 2>&1 | filecheck %s --check-prefix=MORE
// RUN: not nopt %s -p 'ntensor-split-pools{nodes=pol}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not nopt %s -p 'ntensor-split-pools{nodes=pool}' 2>&1 | filecheck %s --check-prefix=REAL
// RUN: nopt %s -p 'ntensor-quantize-inputs{kind=spike},ntensor-split-pools{nodes=pool}' | filecheck %s

// LOAD:      error[LEG060]: the load of pools is out of range
// LOAD-NEXT:   at: load=0
// LOAD-NEXT:   expected: above 0 to 1
// LOAD-NEXT:   found: 0
// LOAD-NEXT:   help: nopt {{.*}}ntensor_split_pools-errors.mlir -p ntensor-split-pools
// MORE:      found: 1.5

// NAME:      error[ANA031]: ntensor-split-pools has no node "pol" to work on
// NAME:        help: nopt {{.*}}ntensor_split_pools-errors.mlir -p 'ntensor-split-pools{nodes=pool}'

// A pool of reals has no spikes to add, until its input has.
// REAL:      error[LEG061]: a pool cannot be sent as spikes
// REAL-NEXT:   at: ntensor.sum_pool2d "pool"
// REAL-NEXT:   expected: a pool that adds events to reals
// REAL-NEXT:   found: f64 to f64
// REAL-NEXT:   help: nopt {{.*}}ntensor_split_pools-errors.mlir -p 'ntensor-quantize-inputs{kind=spike},ntensor-split-pools{nodes=pool}'
// CHECK:     ntensor.neuron "pool.spikes"
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @reals("in" %x: tensor<1x2x2xf64>) -> ("out": tensor<1x1x1xi1>) attributes {tick_ns = 1000} {
  %p = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xf64> -> tensor<1x1x1xf64>
  %y = ntensor.conv2d "conv" %p {weight = #nopt.array<[[[[3.0]]]] : tensor<1x1x1x1xf64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1} : tensor<1x1x1xf64> -> tensor<1x1x1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
  ntensor.output %z : tensor<1x1x1xi1>
}
