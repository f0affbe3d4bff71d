// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p print-fan-out -o /dev/null 2>&1 | filecheck %s
// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%root/lit-tests/passes/plan/inputs/small.json" set="core.neurons=4"},print-fan-out' -o /dev/null 2>&1 | filecheck %s --check-prefix=PLAN

// Without a plan, all 4 inputs and all 6 neurons of "hid" reach one population. "last" feeds an output, which is not a slice.
// CHECK: remark[MAP017]: fan-out of @net
// CHECK-NEXT: at: ntensor.network @net
// CHECK-NEXT: note: "in": 1 slice for each neuron, 4 pairs of a neuron and a slice
// CHECK-NEXT: note: "hid": 1 slice for each neuron, 6 pairs of a neuron and a slice
// CHECK-NEXT: note: "last": 0 slices for each neuron, 0 pairs of a neuron and a slice

// With two slices of "hid", each input reaches both.
// PLAN: note: "in": 2 slices for each neuron, 8 pairs of a neuron and a slice
