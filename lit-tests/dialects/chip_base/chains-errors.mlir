// A neuron of the pool and the convolution of chains.mlir reads two pooled positions, which are sums of 4 inputs each.
// RUN: not nopt %S/chains.mlir -p 'ntensor-plan-cores{device="%S/../../passes/plan/inputs/small.json" set="core.neurons=4,synapse.bits=8,core.input_axons=5"},convert-ntensor-to-machine' 2>&1 | filecheck %s
// CHECK:      error[DEV016]: input axons 8 exceed the limit 5
// CHECK-NEXT:   at: ntensor.neuron "p"
// CHECK-NEXT:   expected: at most 5 axons (asic/small, core.input_axons: set by the user)
// CHECK-NEXT:   found: 8 axons
// CHECK-NEXT:   help: nopt {{.*}}chains.mlir -p 'ntensor-split-fan-in{max-fan-in=5},ntensor-plan-cores{device="{{.*}}small.json" set="core.neurons=4,synapse.bits=8,core.input_axons=5"},convert-ntensor-to-machine'
