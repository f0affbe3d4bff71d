// RUN: nopt %s --split-input-file -p 'ntensor-lower-max-pools' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-lower-max-pools,ntensor-map-relays{device="truenorth/ns1e"}' | filecheck %s --check-prefix=MAPPED
// RUN: nopt %s --split-input-file -p 'ntensor-lower-max-pools{by=sum}' | filecheck %s --check-prefix=SUM

// A neuron of the population fires if a neuron of its window fires: up to 4 spikes, a sum of 4 signed bits. It keeps the name of the pool.
// CHECK-LABEL:          ntensor.network @pool
// CHECK-NEXT{LITERAL}:    %0 = ntensor.sum_pool2d "pool.sum" %z {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x4xi1> -> tensor<1x1x2xi4>
// CHECK-NEXT:             %m = ntensor.neuron "pool" @relay_any_4(%0) {machine.added, params = {}, initial = {}} : (tensor<1x1x2xi4>) -> tensor<1x1x2xi1>
// CHECK-NEXT:             %a = ntensor.scale "fc" %m
// CHECK-NOT:              approximation

// On a chip it is a neuron that one weight or more let fire once: alpha = 1, and the reset to 0. Each spike has a synapse.
// MAPPED-LABEL:           ntensor.network @pool
// MAPPED-NEXT:              %0 = ntensor.sparse_linear "pool.in" %z {weight = #nopt.array<[1, 1, 1, 1, 1, 1, 1, 1] : tensor<8xi8>>, source = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 7] : tensor<8xi32>>, target = #nopt.array<[0, 0, 1, 1, 0, 0, 1, 1] : tensor<8xi32>>, {{.*}}} : tensor<1x2x4xi1> -> tensor<1x1x2xi4>
// MAPPED-NEXT:            ntensor.neuron "pool" @truenorth.value{{.*}}alpha = #nopt.array<1 : tensor<i64>>

// With a sum all spikes count.
// SUM-LABEL:            ntensor.network @pool
// SUM-SAME:               approximations = [#ntensor.approximation<"ntensor-lower-max-pools{by=sum}", "max pools as sum pools: all spikes of a window in a tick count, each 1 of one", ["pool"]
// SUM-NEXT:               %0 = ntensor.sum_pool2d "pool" %z {{.*}} : tensor<1x2x4xi1> -> tensor<1x1x2xf64>
// SUM-NEXT:               %a = ntensor.scale "fc" %0 {scale = #nopt.array<2.0 : tensor<f64>>} : tensor<1x1x2xf64> -> tensor<1x1x2xf64>
ntensor.network @pool("in" %z: tensor<1x2x4xi1>) -> ("out": tensor<1x1x2xf64>) attributes {tick_ns = 1000000} {
  %m = ntensor.max_pool2d "pool" %z {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x4xi1> -> tensor<1x1x2xi1>
  %a = ntensor.scale "fc" %m {scale = #nopt.array<2.0 : tensor<f64>>} : tensor<1x1x2xi1> -> tensor<1x1x2xf64>
  ntensor.output %a : tensor<1x1x2xf64>
}

// -----

// After a calibration a spike of a window counts as much as the pool spiked for it: 0.4 spikes of the pool for 2 x 0.25 of its window.
// SUM-LABEL:            ntensor.network @observed
// SUM-SAME:               each 0.8 of one
// SUM:                    %0 = ntensor.sum_pool2d "pool"
// SUM-NEXT:               [[F:%\S+]] = ntensor.reshape "flat" %0 : tensor<1x1x1xf64> -> tensor<1xf64>
// SUM-NEXT:               %a = ntensor.linear "fc" [[F]] {weight = #nopt.array<{{\[\[}}0.8]] : tensor<1x1xf64>>}
ntensor.network @observed("in" %z: tensor<1x1x2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000000, ntensor.observed = {samples = 1 : i64, ticks = 10 : i64, inputs = {in = {density = 0.25 : f64}}}} {
  %m = ntensor.max_pool2d "pool" %z {ntensor.observed = {rate = 0.4 : f64}, kernel = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x2xi1> -> tensor<1x1x1xi1>
  %f = ntensor.reshape "flat" %m : tensor<1x1x1xi1> -> tensor<1xi1>
  %a = ntensor.linear "fc" %f {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf64>
  ntensor.output %a : tensor<1xf64>
}
