// RUN: not nopt %s -p 'ntensor-clamp-delays{max-delay=-1}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-clamp-delays{max-delay=0}'

// A delay has at least 0 ticks.
// CHECK: error[LEG022]: the longest delay has no negative number of ticks
// CHECK-NEXT:   at: max-delay=-1
// CHECK-NEXT:   expected: 0 or more
// CHECK-NEXT:   found: -1
// CHECK-NEXT:   help: nopt {{.*}}ntensor_clamp_delays-errors.mlir -p 'ntensor-clamp-delays{max-delay=0}'
ntensor.network @late("in" %x: tensor<2xi1>) -> ("out": tensor<1xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1, 2] : tensor<2xi8>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, delay = #nopt.array<[20, 40] : tensor<2xi64>>} : tensor<2xi1> -> tensor<1xi16>
  ntensor.output %y : tensor<1xi16>
}
