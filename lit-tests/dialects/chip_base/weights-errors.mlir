// Quantised weights of 12 bits that are multiples of 256 fit into 8 bits with the exponent 4, which is beyond the limit.
// RUN: not nopt %S/../../targets/asic/inputs/windows.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=12 scale=power-of-two},ntensor-plan-cores{device="%S/../../passes/legalize/inputs/kernels.json" set="synapse.weight_exponent.max=3"},convert-ntensor-to-machine' 2>&1 | filecheck %s
// CHECK:      error[DEV016]: weight exponent 4 exceeds the limit 3
// CHECK-NEXT:   at: ntensor.neuron "maps", slice 0 of 1
// CHECK-NEXT:   expected: at most 3 (asic/kernels, synapse.weight_exponent.max: set by the user)
// CHECK-NEXT:   found: 4
// CHECK-NEXT:   help: nopt {{.*}}windows.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8 scale=power-of-two},ntensor-plan-cores{device="{{.*}}kernels.json" set="synapse.weight_exponent.max=3"},convert-ntensor-to-machine'
