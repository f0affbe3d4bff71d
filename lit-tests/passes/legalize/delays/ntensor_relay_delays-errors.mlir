// RUN: not nopt %s --split-input-file -p 'ntensor-relay-delays' 2>&1 | filecheck %s
// RUN: nopt %S/../inputs/late_reals.mlir -p 'ntensor-relay-delays{max-delay=15 reorder=true}' | filecheck %s --check-prefix=HELP
// HELP: ntensor.network @reals
// HELP-SAME: #ntensor.approximation<"ntensor-relay-delays{reorder=true}", "late synapses relayed: sums are added in another order", ["fc"], none, none, "none">
// RUN: nopt %S/../inputs/late_reals.mlir -p 'ntensor-clamp-delays{max-delay=15}' -o /dev/null

// The delayed signal is a current.
// CHECK: error[LEG035]: a long delay holds values
// CHECK-NEXT:   at: ntensor.delay "wait"
// CHECK-NEXT:   expected: events
// CHECK-NEXT:   found: f64
// CHECK-NEXT:   help: nopt {{.*}}ntensor_relay_delays-errors.mlir --split-input-file -p 'ntensor-quantize-inputs{kind=spike},ntensor-relay-delays'
// CHECK-NEXT:     nopt {{.*}}ntensor_relay_delays-errors.mlir --split-input-file -p 'ntensor-clamp-delays{max-delay=15},ntensor-relay-delays'
ntensor.network @currents("in" %x: tensor<2xf64>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.delay "wait" %x {ticks = #nopt.array<40 : tensor<i64>>} : tensor<2xf64>
  ntensor.output %y : tensor<2xf64>
}

// -----

// Two synapses of one neuron, one of them delayed: 1 + 2 is 2 + 1, but in general the last bits differ.
// CHECK: error[LEG036]: relays would change the order of a sum
// CHECK-NEXT:   at: ntensor.sparse_linear "fc"
// CHECK-NEXT:   expected: sums of integers
// CHECK-NEXT:   found: f64
// CHECK-NEXT:   help: nopt {{.*}}ntensor_relay_delays-errors.mlir --split-input-file -p 'ntensor-relay-delays{max-delay=15 reorder=true}'
ntensor.network @reals("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1.0, 2.0] : tensor<2xf64>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, delay = #nopt.array<[1, 40] : tensor<2xi64>>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// 100 + 100 does not fit i8; together with -128 it does.
// CHECK: error[LEG037]: a part of the sum may leave its type
// CHECK-NEXT:   at: ntensor.sparse_linear "fc"
// CHECK-NEXT:   expected: -128..127
// CHECK-NEXT:   found: -128..200
// CHECK-NEXT:   help: give the result a wider integer type
ntensor.network @narrow("in" %x: tensor<3xi1>) -> ("out": tensor<1xi8>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[100, 100, -128] : tensor<3xi8>>, source = #nopt.array<[0, 1, 2] : tensor<3xi64>>, target = #nopt.array<[0, 0, 0] : tensor<3xi64>>, delay = #nopt.array<[1, 1, 40] : tensor<3xi64>>} : tensor<3xi1> -> tensor<1xi8>
  ntensor.output %y : tensor<1xi8>
}

// -----

// The output of the population is recorded after its delay.
// CHECK: error[LEG038]: a long delay is part of "lif"
// CHECK-NEXT:   at: ntensor.delay "lif.delay"
// CHECK-NEXT:   expected: at most 15 ticks
// CHECK-NEXT:   found: 40
// CHECK-NEXT:   help: nopt {{.*}}ntensor_relay_delays-errors.mlir --split-input-file -p 'ntensor-clamp-delays{max-delay=15},ntensor-relay-delays'
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @owned("in" %x: tensor<1xi16>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "lif" @lif(%x) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  %y = ntensor.delay "lif.delay" %z {ticks = #nopt.array<40 : tensor<i64>>, part_of = "lif"} : tensor<1xi1>
  ntensor.output %y : tensor<1xi1>
}
