// RUN: not nopt %S/../plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.fan_in=5"},convert-ntensor-to-machine' 2>&1 | filecheck %s --check-prefix=FANIN
// RUN: nopt %S/../plan/inputs/net.mlir -p 'ntensor-split-fan-in{max-fan-in=5},ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.fan_in=5"},convert-ntensor-to-machine' -o /dev/null
// RUN: nopt %S/../plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.fan_in=6"},convert-ntensor-to-machine' -o /dev/null
// RUN: not nopt %S/../plan/inputs/wide.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.neurons=1,core.fan_out=1,topology.cores=16,topology.mesh.width=4,topology.mesh.height=4"},convert-ntensor-to-machine' 2>&1 | filecheck %s --check-prefix=FANOUT
// RUN: nopt %S/../plan/inputs/wide.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.neurons=1,core.fan_out=1,topology.cores=16,topology.mesh.width=4,topology.mesh.height=4"},ntensor-replicate-fan-out{max-fan-out=1},ntensor-plan-cores,convert-ntensor-to-machine' | filecheck %s --check-prefix=COPIES
// RUN: nopt %S/../plan/inputs/wide.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.neurons=1,core.fan_out=2,topology.cores=16,topology.mesh.width=4,topology.mesh.height=4"},convert-ntensor-to-machine' -o /dev/null
// RUN: not nopt %S/../plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="synapse.delay.max=2"},convert-ntensor-to-machine' 2>&1 | filecheck %s --check-prefix=LONG
// RUN: nopt %S/../plan/inputs/net.mlir -p 'ntensor-relay-delays{max-delay=2},ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="synapse.delay.max=2"},convert-ntensor-to-machine' -o /dev/null
// RUN: nopt %S/../plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="synapse.delay.max=3,synapse.delay.min=3"},convert-ntensor-to-machine' -o /dev/null
// RUN: not nopt %S/../plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="synapse.delay.min=4"},convert-ntensor-to-machine' 2>&1 | filecheck %s --check-prefix=SHORT
// RUN: nopt %S/../plan/inputs/net.mlir -p 'ntensor-retime{op-ticks=4},ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="synapse.delay.min=4"},convert-ntensor-to-machine' -o /dev/null
// RUN: not nopt %S/../plan/inputs/cliques.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json"},convert-ntensor-to-machine' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: nopt %S/../plan/inputs/cliques.mlir -p 'ntensor-quantize-weights{bits=8},ntensor-plan-cores{device="%S/../plan/inputs/small.json"},convert-ntensor-to-machine' -o /dev/null
// RUN: not nopt %S/../plan/inputs/net.mlir -p 'ntensor-split-fan-in{max-fan-in=5},ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="spike.payload_bits=0"},convert-ntensor-to-machine' 2>&1 | filecheck %s --check-prefix=GRADED
// RUN: not nopt %S/../plan/inputs/wide.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json"},convert-ntensor-to-machine' 2>&1 | filecheck %s --check-prefix=CONTRACT
// RUN: nopt %S/../plan/inputs/wide.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.neurons=6"},convert-ntensor-to-machine' -o /dev/null
// RUN: not nopt %s --split-input-file -p convert-ntensor-to-machine 2>&1 | filecheck %s

// Each limit is refused just outside; the value in the message is tried above, as is the limit just inside.
// FANIN:      error[DEV016]: fan-in 6 exceeds the limit 5
// FANIN-NEXT:   at: ntensor.neuron "last", slice 0 of 1
// FANIN-NEXT:   expected: at most 5 synapses (asic/small, core.fan_in: set by the user)
// FANIN-NEXT:   found: 6 synapses
// FANIN-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-split-fan-in{max-fan-in=5},ntensor-plan-cores{device="{{.*}}small.json" set="core.fan_in=5"},convert-ntensor-to-machine'

// FANOUT:      error[DEV016]: fan-out 2 exceeds the limit 1
// FANOUT-NEXT:   at: ntensor.neuron "hid", slice 3 of 7
// FANOUT-NEXT:   expected: at most 1 core (asic/small, core.fan_out: set by the user)
// FANOUT-NEXT:   found: 2 cores
// FANOUT-NEXT:   help: nopt {{.*}}wide.mlir -p 'ntensor-plan-cores{device="{{.*}}small.json" set="core.neurons=1,core.fan_out=1,topology.cores=16,topology.mesh.width=4,topology.mesh.height=4"},ntensor-replicate-fan-out{max-fan-out=1},convert-ntensor-to-machine'
// COPIES: machine.population "hid.copy1"

// LONG:      error[DEV016]: delay 3 exceeds the limit 2
// LONG-NEXT:   at: ntensor.neuron "last", slice 0 of 1
// LONG-NEXT:   expected: at most 2 ticks (asic/small, synapse.delay.max: set by the user)
// LONG-NEXT:   found: 3 ticks
// LONG-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-relay-delays{max-delay=2},ntensor-plan-cores{device="{{.*}}small.json" set="synapse.delay.max=2"},convert-ntensor-to-machine'

// From an input no delay is needed; between populations one tick is.
// SHORT:      error[MAP002]: "fc2" takes fewer ticks than asic/small needs
// SHORT-NEXT:   at: ntensor.neuron "last"
// SHORT-NEXT:   expected: at least 4 ticks from population to population (asic/small, synapse.delay.min: set by the user)
// SHORT-NEXT:   found: 3
// SHORT-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-retime{op-ticks=4},ntensor-plan-cores{device="{{.*}}small.json" set="synapse.delay.min=4"},convert-ntensor-to-machine'

// BITS:      error[DEV016]: weight bits 32 exceed the limit 8
// BITS-NEXT:   at: ntensor.neuron "two", slice 0 of 2
// BITS-NEXT:   expected: at most 8 bits (asic/small, synapse.bits: made for these tests)
// BITS-NEXT:   found: 32 bits
// BITS-NEXT:   help: nopt {{.*}}cliques.mlir -p 'ntensor-quantize-weights{bits=8},ntensor-plan-cores{device="{{.*}}small.json"},convert-ntensor-to-machine'

// All violations are reported, for each population.
// GRADED:      error[DEV016]: payload bits 4 exceed the limit 0
// GRADED-NEXT:   at: ntensor.neuron "last.part0", slice 0 of 1
// GRADED-NEXT:   expected: at most 0 bits (asic/small, spike.payload_bits: set by the user)
// GRADED-NEXT:   found: 4 bits
// GRADED-NEXT:   help: convert the population to a neuron that emits spikes: ntensor-set-neuron-model{to=FILE}
// GRADED-NEXT: error[DEV016]: payload bits {{\d+}} exceed the limit {{\d+}}
// GRADED-NEXT:   at: ntensor.neuron "last.part1", slice 0 of 1

// CONTRACT:      error[DEV021]: a contract of the device does not hold
// CONTRACT-NEXT:   at: ntensor.neuron "hid", slice 0 of 1
// CONTRACT-NEXT:   expected: fan_in <= 32 or neurons <= 6 (asic/small, constraints: made for these tests)
// CONTRACT-NEXT:   found: ! fan_in <= 32 or neurons <= 6: fails
// CONTRACT:        help: fan_in at most 32 or neurons at most 6
// CONTRACT-NEXT:   note: fan_in = 33, limit 32: 1 too many

// Unused parts are dropped, with a remark.
// CHECK:      remark[MAP003]: unused ops are left out
// CHECK-NEXT:   at: ntensor.network @n
// CHECK-NEXT:   found: ntensor.scale "dead"
// CHECK-NEXT:   help: nopt {{.*}}convert_ntensor_to_machine-errors.mlir --split-input-file -p ntensor-remove-dead,convert-ntensor-to-machine
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000, machine.device = "asic/mesh"} {
  %y = ntensor.scale "dead" %x {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = ntensor.neuron "p" @pass(%x) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 2]]] : tensor<1x1x2xi64>>} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}

// -----

// A population without a plan.
// CHECK:      error[MAP001]: a population is not planned
// CHECK-NEXT:   at: ntensor.neuron "p"
// CHECK-NEXT:   expected: machine.boxes = #nopt.array<… : tensor<slices x axes x 2>>
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: nopt {{.*}}convert_ntensor_to_machine-errors.mlir --split-input-file -p ntensor-plan-cores,convert-ntensor-to-machine
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000, machine.device = "asic/mesh"} {
  %z = ntensor.neuron "p" @pass(%x) {params = {}, initial = {}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}

// -----

// A plan that omits a neuron.
// CHECK:      error[MCH003]: neurons are in no slice
// CHECK-NEXT:   at: machine.population "p"
// CHECK-NEXT:   expected: 2 neurons
// CHECK-NEXT:   found: 1 in 1 slices
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000, machine.device = "asic/mesh"} {
  %z = ntensor.neuron "p" @pass(%x) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[1, 2]]] : tensor<1x1x2xi64>>} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}

// -----

// A plan for a device with larger cores.
// CHECK:      error[DEV016]: neurons 65 exceed the limit 64
// CHECK-NEXT:   at: ntensor.neuron "p", slice 0 of 1
// CHECK-NEXT:   expected: at most 64 neurons (asic/edge, core.neurons
// CHECK-NEXT:   found: 65 neurons
// CHECK-NEXT:   help: nopt {{.*}}convert_ntensor_to_machine-errors.mlir --split-input-file -p ntensor-plan-cores,convert-ntensor-to-machine
ntensor.network @n("x" %x: tensor<65xf32>) -> ("out": tensor<65xi1>) attributes {tick_ns = 1000, machine.device = "asic/edge"} {
  %z = ntensor.neuron "p" @pass(%x) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 65]]] : tensor<1x1x2xi64>>} : (tensor<65xf32>) -> tensor<65xi1>
  ntensor.output %z : tensor<65xi1>
}
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
