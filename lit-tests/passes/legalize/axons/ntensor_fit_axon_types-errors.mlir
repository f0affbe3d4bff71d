// RUN: not nopt %s --split-input-file -p 'ntensor-fit-axon-types{types=4}' 2>&1 | filecheck %s
// RUN: not nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-fit-axon-types' 2>&1 | filecheck %s --check-prefix=TYPES
// RUN: not nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-fit-axon-types{types=9}' 2>&1 | filecheck %s --check-prefix=NINE
// RUN: not nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-fit-axon-types{types=4 copies=0}' 2>&1 | filecheck %s --check-prefix=COPIES
// RUN: not nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-fit-axon-types{types=4 bits=1}' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: not nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-fit-axon-types{types=4 axons=0}' 2>&1 | filecheck %s --check-prefix=AXONS
// RUN: not nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-fit-axon-types{types=4 axons=3}' 2>&1 | filecheck %s --check-prefix=CORE
// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-fit-axon-types{types=4 axons=6}' -o /dev/null
// RUN: not nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-fit-axon-types{types=4 nodes=hit}' 2>&1 | filecheck %s --check-prefix=NODE

// Without a device the number of types is an option.
// TYPES:      error[LEG007]: the number of axon types is not specified
// TYPES-NEXT:   at: types
// TYPES-NEXT:   expected: types, or a device whose cores declare `core.crossbar.axon_types`
// TYPES-NEXT:   found: none
// TYPES-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-fit-axon-types{types=4}'

// NINE:      error[LEG007]: types is out of range
// NINE-NEXT:   at: types=9
// NINE-NEXT:   expected: 1 to 8
// NINE-NEXT:   found: 9
// NINE-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-fit-axon-types{types=8}'

// COPIES:      error[LEG007]: copies is out of range
// COPIES-NEXT:   at: copies=0
// COPIES-NEXT:   expected: 1 to 8
// COPIES-NEXT:   found: 0
// COPIES-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-fit-axon-types{types=4}'

// BITS:      error[LEG007]: bits is out of range
// BITS-NEXT:   at: bits=1
// BITS-NEXT:   expected: 2 to 32
// BITS-NEXT:   found: 1
// BITS-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-fit-axon-types{types=4 bits=2}'

// AXONS:      error[LEG007]: axons is out of range
// AXONS-NEXT:   at: axons=0
// AXONS-NEXT:   expected: 1 or more
// AXONS-NEXT:   found: 0
// AXONS-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-fit-axon-types{types=4 axons=1}'

// "hid" has 4 sources, and a core 3 axons.
// CORE:      error[LEG010]: a slice has more axons than a core
// CORE-NEXT:   at: ntensor.neuron "hid"
// CORE-NEXT:   expected: at most 3 axons for the neurons of a slice
// CORE-NEXT:   found: 4 axons of all neurons, which no plan divides
// CORE-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-plan-cores,ntensor-fit-axon-types{types=4 axons=3}'
// CORE-NEXT:     nopt {{.*}}net.mlir -p 'ntensor-split-fan-in{max-fan-in=3},ntensor-fit-axon-types{types=4 axons=3}'

// NODE:      error[ANA031]: ntensor-fit-axon-types has no node "hit" to work on
// NODE:        help: nopt {{.*}}net.mlir -p 'ntensor-fit-axon-types{types=4 nodes=hid}'

// A count of an input is several spikes, which one axon adds once.
// CHECK:      error[LEG008]: several spikes on one axon count as one
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: at most one spike of a neuron in one tick
// CHECK-NEXT:   found: !ntensor.count<4>
// CHECK-NEXT:   help: declare the input as a tensor of i1, with several lines for larger values
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2x!ntensor.count<4>>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>} : tensor<2x!ntensor.count<4>> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// The same for a count of a population, which is that of its neuron file.
// CHECK:      error[LEG008]: several spikes on one axon count as one
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: at most one spike of a neuron in one tick
// CHECK-NEXT:   found: !ntensor.count<4>
// CHECK-NEXT:   help: let the population that sends emit spikes: `emit spike` in its neuron file
ntensor.update @count <count> inputs ["x"] states ["n"] params ["most"] raw ["most"] derive {
^bb0(%dt: f64, %most: f64):
  ntensor.derived %most : f64
} initial {
^bb0(%most: !fixed.int<0, 9>):
  ntensor.initial %most : !fixed.int<0, 9>
} step {
^bb0(%x: i1, %n: !fixed.int<0, 9>, %most: !fixed.int<0, 9>):
  ntensor.emit %n, %most : !fixed.int<0, 9>, !fixed.int<0, 9>
}
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<1xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %c = ntensor.neuron "c" @count(%x) {params = {most = #nopt.array<9 : tensor<i64>>}, initial = {n = #nopt.array<9 : tensor<i64>>}} : (tensor<1xi1>) -> tensor<1x!ntensor.count<4>>
  %y = ntensor.linear "fc" %c {weight = #nopt.array<[[1]] : tensor<1x1xi8>>} : tensor<1x!ntensor.count<4>> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Weights that learn.
// CHECK:      error[LEG009]: a chain of ops is not a list of synapses
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: weights that do not change
// CHECK-NEXT:   found: a learning rule
// CHECK-NEXT:   help: nopt {{.*}}ntensor_fit_axon_types-errors.mlir --split-input-file -p 'ntensor-freeze-plasticity,ntensor-fit-axon-types{types=4}'
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// A bias between two ops would be multiplied.
// CHECK:      error[LEG009]: a chain of ops is not a list of synapses
// CHECK-NEXT:   at: ntensor.linear "first"
// CHECK-NEXT:   expected: a bias on the last op of the chain alone
// CHECK-NEXT:   found: a bias before ntensor.linear
// CHECK-NEXT:   help: move the bias to the last op of the chain
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "first" %x {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>, bias = #nopt.array<[1] : tensor<1xi8>>} : tensor<2xi1> -> tensor<1xi8>
  %y = ntensor.linear "fc" %a {weight = #nopt.array<[[2]] : tensor<1x1xi8>>} : tensor<1xi8> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// A delay between two ops.
// CHECK:      error[LEG009]: a chain of ops is not a list of synapses
// CHECK-NEXT:   at: ntensor.delay "late"
// CHECK-NEXT:   expected: no delay between two synapse ops
// CHECK-NEXT:   found: ntensor.delay "late"
// CHECK-NEXT:   help: nopt {{.*}}ntensor_fit_axon_types-errors.mlir --split-input-file -p 'ntensor-hoist-delays,ntensor-fit-axon-types{types=4}'
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "first" %x {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  %b = ntensor.delay "late" %a {ticks = #nopt.array<2 : tensor<i64>>} : tensor<1xi8>
  %y = ntensor.linear "fc" %b {weight = #nopt.array<[[2]] : tensor<1x1xi8>>} : tensor<1xi8> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Neurons with different delays after their sum.
// CHECK:      error[LEG009]: a chain of ops is not a list of synapses
// CHECK-NEXT:   at: ntensor.delay "late"
// CHECK-NEXT:   expected: one delay for all neurons of a population
// CHECK-NEXT:   found: 1 to 2 ticks
// CHECK-NEXT:   help: nopt {{.*}}ntensor_fit_axon_types-errors.mlir --split-input-file -p 'ntensor-hoist-delays,ntensor-fit-axon-types{types=4}'
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<1xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1], [2]] : tensor<2x1xi8>>} : tensor<1xi1> -> tensor<2xi16>
  %y = ntensor.delay "late" %a {ticks = #nopt.array<[1, 2] : tensor<2xi64>>} : tensor<2xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// Spikes with and without a weight.
// CHECK:      error[LEG011]: spikes without a weight meet weights
// CHECK-NEXT:   at: ntensor.neuron "two"
// CHECK-NEXT:   expected: weights for all spikes of a population
// CHECK-NEXT:   found: spikes of "x" without a synapse
// CHECK-NEXT:   help: give them a weight: an ntensor.scale "NAME" of 1
ntensor.update @two <spike> inputs ["a", "b"] step {
^bb0(%a: !fixed.int<-32768, 32767>, %b: i1):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %w: tensor<2xi1>, "x" %v: tensor<1xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %w {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi16>
  %z = ntensor.neuron "two" @two(%y, %v) {params = {}, initial = {}} : (tensor<1xi16>, tensor<1xi1>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Two kinds of weights, of which neurons have one value.
// CHECK:      error[LEG009]: a chain of ops is not a list of synapses
// CHECK-NEXT:   at: ntensor.linear "real"
// CHECK-NEXT:   expected: weights of one kind, as those of "fc"
// CHECK-NEXT:   found: reals
// CHECK-NEXT:   help: nopt {{.*}}ntensor_fit_axon_types-errors.mlir --split-input-file -p 'ntensor-quantize-weights,ntensor-fit-axon-types{types=4}'
ntensor.update @two <spike> inputs ["a", "b"] step {
^bb0(%a: !fixed.int<-32768, 32767>, %b: f32):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi16>
  %r = ntensor.linear "real" %x {weight = #nopt.array<[[0.5, 1.5]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = ntensor.neuron "two" @two(%y, %r) {params = {}, initial = {}} : (tensor<1xi16>, tensor<1xf32>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// An infinite weight.
// CHECK:      error[LEG013]: a weight is not finite
// CHECK-NEXT:   at: ntensor.linear "real"
// CHECK-NEXT:   expected: finite numbers
// CHECK-NEXT:   found: inf
// CHECK-NEXT:   help: correct the weight in the file that it came from
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: f32):
  %0 = arith.constant 5.0 : f32
  %1 = arith.cmpf ogt, %a, %0 : f32
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %r = ntensor.linear "real" %x {weight = #nopt.array<"0x0000807f0000c03f" : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = ntensor.neuron "lif" @lif(%r) {params = {}, initial = {}} : (tensor<1xf32>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// A network in continuous time is refused.
// CHECK: error[NTE009]: no network in ticks
// CHECK: help: nopt {{.*}}ntensor_fit_axon_types-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-axon-types{types=4}'
nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}
