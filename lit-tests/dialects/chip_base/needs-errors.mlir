// RUN: not nopt %S/../../passes/plan/inputs/tiles.mlir -p 'ntensor-quantize-weights{bits=9},ntensor-plan-cores{device="%S/../../passes/plan/inputs/small.json" set="core.neurons=12"},convert-ntensor-to-machine' 2>&1 | filecheck %s
// RUN: nopt %S/../../passes/plan/inputs/tiles.mlir -p 'ntensor-quantize-weights{bits=8},ntensor-plan-cores{device="%S/../../passes/plan/inputs/small.json" set="core.neurons=12"},convert-ntensor-to-machine' -o /dev/null

// Nine bits exceed the limit of the device by one; eight fit.
// CHECK:      error[DEV016]: weight bits 9 exceed the limit 8
// CHECK-NEXT:   at: ntensor.neuron "plane", slice 0 of 4
// CHECK-NEXT:   expected: at most 8 bits (asic/small, synapse.bits: made for these tests)
// CHECK-NEXT:   found: 9 bits
// CHECK-NEXT:   help: nopt {{.*}}tiles.mlir -p 'ntensor-quantize-weights{bits=8},ntensor-plan-cores{device="{{.*}}small.json" set="core.neurons=12"},convert-ntensor-to-machine'
