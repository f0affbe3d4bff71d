// A neuron with two destinations takes two rows of a core, which has one.
// RUN: exits 1 nopt compile %S/lines.mlir --target truenorth/ns1e --set core.neurons=1 --set core.output_axons=2 --dt 1ms --like euler --reset value --until machine -o %t 2>&1 | filecheck %s
// RUN: nopt %S/lines.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=truenorth/ns1e set="core.neurons=2,core.output_axons=2"},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges' -o /dev/null
// CHECK:      error[DEV016]: neurons 2 exceed the limit 1
// CHECK-NEXT:   at: ntensor.neuron "one", slice 0 of 3
// CHECK-NEXT:   expected: at most 1 neuron (truenorth/ns1e, core.neurons: set by the user)
// CHECK-NEXT:   found: 2 neurons
