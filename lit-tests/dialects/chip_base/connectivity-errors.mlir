// RUN: not nopt %S/../../passes/plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/../../passes/plan/inputs/small.json" set="core.fan_in=3"},convert-ntensor-to-machine' 2>&1 | filecheck %s

// The counts in a refusal are those of the worst slice of each population.
// CHECK:      error[DEV016]: fan-in 4 exceeds the limit 3
// CHECK-NEXT:   at: ntensor.neuron "hid", slice 0 of 1
// CHECK-NEXT:   expected: at most 3 synapses (asic/small, core.fan_in: set by the user)
// CHECK-NEXT:   found: 4 synapses
// CHECK:      error[DEV016]: fan-in 6 exceeds the limit 3
// CHECK-NEXT:   at: ntensor.neuron "last", slice 0 of 1
// CHECK-NEXT:   expected: at most 3 synapses (asic/small, core.fan_in: set by the user)
// CHECK-NEXT:   found: 6 synapses
