// Delays in a wrong unit required more relays than time and stack allow. The help line works.
// RUN: not nopt %s --split-input-file -p ntensor-relay-delays 2>&1 | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-clamp-delays{max-delay=3855},ntensor-relay-delays' | filecheck %s --check-prefix=HELP
// HELP: ntensor.neuron "d.relay256"
// HELP-NOT: relay257
// HELP: ntensor.neuron "in.relay256"
// HELP-NOT: relay257

// CHECK: error[LEG039]: a delay takes too many relays
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NEXT:   expected: at most 256 relays in a row, 3855 ticks
// CHECK-NEXT:   found: 133333333333 relays for 2000000000000 ticks
// CHECK-NEXT:   help: nopt {{.*}}quantize-delays.mlir --split-input-file -p 'ntensor-clamp-delays{max-delay=3855},ntensor-relay-delays'
ntensor.network @n("in" %in: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %d = ntensor.delay "d" %in {ticks = #nopt.array<2000000000000 : tensor<i64>>} : tensor<2xi1>
  ntensor.output %d : tensor<2xi1>
}

// -----

// CHECK: error[LEG039]: a delay takes too many relays
// CHECK-NEXT:   at: ntensor.sparse_linear "fc"
// CHECK-NEXT:   expected: at most 256 relays in a row, 3855 ticks
// CHECK-NEXT:   found: 257 relays for 3856 ticks
ntensor.network @n("in" %in: tensor<2xi1>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %in {weight = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, source = #nopt.array<[0, 1] : tensor<2xi32>>, target = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[0, 3856] : tensor<2xi64>>} : tensor<2xi1> -> tensor<2xf64>
  ntensor.output %y : tensor<2xf64>
}
