// A limit of one neuron is refused with the first of the slices that exceed it.
// RUN: not nopt %S/chains.mlir -p 'ntensor-plan-cores{device="%S/../../passes/plan/inputs/small.json" set="core.neurons=2,synapse.bits=8,core.fan_in=7"},convert-ntensor-to-machine' 2>&1 | filecheck %s
// CHECK:      error[DEV016]: fan-in 8 exceeds the limit 7
// CHECK-NEXT:   at: ntensor.neuron "p", slice 0 of 2
// CHECK-NEXT:   expected: at most 7 synapses (asic/small, core.fan_in: set by the user)
// CHECK-NEXT:   found: 8 synapses
// CHECK-NEXT:   help: nopt {{.*}}chains.mlir -p 'ntensor-split-fan-in{max-fan-in=7},ntensor-plan-cores{device="{{.*}}small.json" set="core.neurons=2,synapse.bits=8,core.fan_in=7"},convert-ntensor-to-machine'
