// RUN: nopt %s --split-input-file -p ntensor-hoist-delays | filecheck %s

// A neuron that always fires feeds the bias, which arrives after the delay, too.
// CHECK-LABEL: ntensor.network @biased
// CHECK:         [[CLOCK:%.+]] = ntensor.delay "clock.wait0"
// CHECK-NEXT:    [[X:%.+]] = ntensor.delay "late" %x {ticks = #nopt.array<3 : tensor<i64>>} : tensor<2xi1>
// CHECK-NEXT:    [[Y:%.+]] = ntensor.linear "fc" [[X]] {weight =
// CHECK:         [[B:%.+]] = ntensor.delay "late.bias" [[CLOCK]] {ticks = #nopt.array<3 : tensor<i64>>} : tensor<1xi1>
// CHECK-NEXT:    ntensor.sparse_linear "fc.bias" [[B]] {weight = #nopt.array<[0.5, 0.25]
ntensor.network @biased("in" %x: tensor<2xi1>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf64>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %d = ntensor.delay "late" %y {ticks = #nopt.array<3 : tensor<i64>>} : tensor<2xf64>
  ntensor.output %d : tensor<2xf64>
}

// -----

// Neurons wait different ticks: their synapses have delays. The op with another reader stays.
// CHECK-LABEL: ntensor.network @each
// CHECK-NEXT:    [[Y:%.+]] = ntensor.linear "fc" %x
// CHECK-NEXT:    [[X:%.+]] = ntensor.delay "late.0" %x {ticks = #nopt.array<3 : tensor<i64>>}
// CHECK-NEXT:    ntensor.sparse_linear "fc.late" [[X]] {weight = #nopt.array<[1.0, 3.0, 2.0] : tensor<3xf64>>, source = #nopt.array<[0, 0, 1] : tensor<3xi32>>, target = #nopt.array<[0, 1, 0] : tensor<3xi32>>, delay = #nopt.array<[0, 2, 0] : tensor<3xi64>>}
// CHECK-NEXT:    ntensor.delay "late.1" %x {ticks = #nopt.array<3 : tensor<i64>>}
// CHECK-NEXT:    ntensor.sparse_linear "side"
// CHECK-NEXT:    [[S:%.+]] = ntensor.sum
// CHECK-NEXT:    ntensor.output [[S]], [[Y]]
ntensor.network @each("in" %x: tensor<2xi1>) -> ("out": tensor<2xf64>, "early": tensor<2xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 0.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %z = ntensor.linear "side" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 0.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %s = ntensor.sum %y, %z : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %d = ntensor.delay "late" %s {ticks = #nopt.array<[3, 5] : tensor<2xi64>>} : tensor<2xf64>
  ntensor.output %d, %y : tensor<2xf64>, tensor<2xf64>
}

// -----

// These delays stay: one in a loop without a population, that of a node, and different ones after a pool.
// CHECK-LABEL: ntensor.network @stays
// CHECK-NEXT:    ntensor.sum
// CHECK-NEXT:    ntensor.linear "fc"
// CHECK-NEXT:    ntensor.delay "loop"
// CHECK-NEXT:    ntensor.linear "own"
// CHECK-NEXT:    ntensor.delay "own.delay"
// CHECK-NEXT:    ntensor.sum_pool2d "pool"
// CHECK-NEXT:    ntensor.delay "each"
// CHECK-NEXT:    ntensor.output
ntensor.network @stays("in" %x: tensor<2xf64>, "image" %i: tensor<1x2x4xi1>) -> ("out": tensor<2xf64>, "slow": tensor<2xf64>, "pooled": tensor<1x1x2xf64>) attributes {tick_ns = 1000} {
  %s = ntensor.sum %x, %d : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %y = ntensor.linear "fc" %s {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf64>>} : tensor<2xf64> -> tensor<2xf64>
  %d = ntensor.delay "loop" %y {ticks = #nopt.array<3 : tensor<i64>>} : tensor<2xf64>
  %w = ntensor.linear "own" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf64>>} : tensor<2xf64> -> tensor<2xf64>
  %o = ntensor.delay "own.delay" %w {ticks = #nopt.array<3 : tensor<i64>>, part_of = "own"} : tensor<2xf64>
  %p = ntensor.sum_pool2d "pool" %i {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x4xi1> -> tensor<1x1x2xf64>
  %e = ntensor.delay "each" %p {ticks = #nopt.array<[[[1, 2]]] : tensor<1x1x2xi64>>} : tensor<1x1x2xf64>
  ntensor.output %s, %o, %e : tensor<2xf64>, tensor<2xf64>, tensor<1x1x2xf64>
}
