// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p print-connectivity -o /dev/null 2>&1 | filecheck %s
// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%root/lit-tests/passes/plan/inputs/small.json" set="core.neurons=4"},print-connectivity' -o /dev/null 2>&1 | filecheck %s --check-prefix=PLAN

// Without a plan each population is one slice: 6 x 4 and 2 x 6 weights, none of which is zero.
// CHECK: remark[MAP016]: connectivity of @net
// CHECK-NEXT: at: ntensor.network @net
// CHECK-NEXT: note: "hid": 24 synapses, 4 axons, fan-in 4
// CHECK-NEXT: note: "fc" from "in" to "hid": 24 synapses, 4 axons
// CHECK-NEXT: note: "last": 12 synapses, 6 axons, fan-in 6
// CHECK-NEXT: note: "fc2" from "hid" to "last": 12 synapses, 6 axons

// With two slices of "hid", each of them has half of the synapses and all axons.
// PLAN: note: "hid" slice 0: 12 synapses, 4 axons, fan-in 4
// PLAN-NEXT: note: "fc" from "in" to "hid" slice 0: 12 synapses, 4 axons
// PLAN-NEXT: note: "hid" slice 1: 12 synapses, 4 axons, fan-in 4
// PLAN-NEXT: note: "fc" from "in" to "hid" slice 1: 12 synapses, 4 axons
// PLAN-NEXT: note: "last": 12 synapses, 6 axons, fan-in 6

// A weight of 0 is not a synapse, unless it changes.
// RUN: mutate 's/\[\[1, 1, 2, 1/[[0, 1, 2, 1/' %root/lit-tests/passes/plan/inputs/net.mlir > %t.zero.mlir
// RUN: nopt %t.zero.mlir -p print-connectivity -o /dev/null 2>&1 | filecheck %s --check-prefix=ZERO
// ZERO: note: "last": 11 synapses, 6 axons, fan-in 6
// RUN: mutate 's/"fc2" %d {/"fc2" %d {plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, -3.0, 3.0>, /' %t.zero.mlir > %t.learns.mlir
// RUN: nopt %t.learns.mlir -p print-connectivity -o /dev/null 2>&1 | filecheck %s --check-prefix=LEARNS
// LEARNS: note: "last": 12 synapses, 6 axons, fan-in 6
