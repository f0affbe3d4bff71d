// RUN: exits 1 nopt %root/lit-tests/core/inputs/lif.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/inputs/lif.neuron" reset=zero}' 2>&1 | filecheck %s
// RUN: exits 1 nopt %root/lit-tests/core/inputs/each.neuron 2>&1 | filecheck %s --check-prefix=EACH

// An option accepts only the values that the neuron declares.
// CHECK: error[NEU005]: option reset has no value 'zero' in neuron lif
// CHECK-NEXT: expected: value or subtract
// CHECK-NEXT: found: zero
// CHECK-NEXT: help: nopt {{.*}}lif.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like="{{.*}}lif.neuron" reset=value}'

// A neuron with an error is not built.
// EACH: each.neuron:4:7: error[NEU022]
// EACH-NOT: ntensor.update
