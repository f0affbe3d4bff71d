// RUN: nopt %s --split-input-file -p ntensor-clamp-delays | filecheck %s

// Delays of ops and of synapses. Off by 5, 5 and 25 ticks: the largest is 25, the mean 35 / 3 = 11.667.
// CHECK-LABEL: ntensor.network @late
// CHECK-SAME:    approximations = [#ntensor.approximation<"ntensor-clamp-delays", "delays clamped to 15 ticks", ["wait", "fc"], 2.500000e+01 : f64, 11.66666666666666{{[0-9]*}} : f64, "ticks">]
// CHECK-NEXT:    ntensor.delay "wait" {{.*}} {ticks = #nopt.array<[3, 15] : tensor<2xi64>>}
// CHECK-NEXT:    ntensor.sparse_linear "fc" {{.*}} delay = #nopt.array<[15, 15] : tensor<2xi64>>
ntensor.network @late("in" %x: tensor<2xi1>) -> ("out": tensor<1xi16>) attributes {tick_ns = 1000} {
  %d = ntensor.delay "wait" %x {ticks = #nopt.array<[3, 20] : tensor<2xi64>>} : tensor<2xi1>
  %y = ntensor.sparse_linear "fc" %d {weight = #nopt.array<[1, 2] : tensor<2xi8>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, delay = #nopt.array<[20, 40] : tensor<2xi64>>} : tensor<2xi1> -> tensor<1xi16>
  ntensor.output %y : tensor<1xi16>
}

// -----

// Short delays are unchanged, and nothing is recorded.
// CHECK-LABEL: ntensor.network @short
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    ntensor.sparse_linear "fc" {{.*}} delay = #nopt.array<[0, 15] : tensor<2xi64>>
ntensor.network @short("in" %x: tensor<2xi1>) -> ("out": tensor<1xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1, 2] : tensor<2xi8>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, delay = #nopt.array<[0, 15] : tensor<2xi64>>} : tensor<2xi1> -> tensor<1xi16>
  ntensor.output %y : tensor<1xi16>
}
