// Axons follow from cores.
// RUN: mutate 's/stage<routed>/stage<placed>/' '/machine.route/d' %S/../../dialects/machine/inputs/routed.mlir | not nopt - -p convert-machine-to-truenorth 2>&1 | filecheck %s --check-prefix=PLACED
// PLACED:      error[MCH017]: the graph is not routed
// PLACED-NEXT:   at: machine.graph @g
// PLACED-NEXT:   expected: stage routed
// PLACED-NEXT:   found: stage placed
// PLACED-NEXT:   help: nopt - -p machine-place-vertices,machine-route-edges,convert-machine-to-truenorth

// A graph for another device has other neurons.
// RUN: not nopt %S/../../dialects/machine/inputs/routed.mlir -p convert-machine-to-truenorth 2>&1 | filecheck %s --check-prefix=NEURON
// NEURON:      error[ANA003]: {{.*}} has no neuron with the update

// A graph for a device that adds biases.
// RUN: not nopt %S/../loihi2/inputs/affine.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=asic/kinds},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-truenorth' 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS:       error[ANA003]: a crossbar adds spikes alone
// BIAS:         expected: weights without bias, exponent and learning rule
// BIAS-NEXT:    found: bias

// Five values of one neuron need five types of axons.
// RUN: mutate 's/1.0, 1.0, -1.0, 0.5\], \[/0.25, 0.75, -1.0, 0.5, 1.0], [/' 's/0.0, 1.0, 1.0, 0.5\]/0.0, 1.0, 1.0, 0.5, 1.0]/' 's/1.0, 0.0, -1.0, 0.5\]/1.0, 0.0, -1.0, 0.5, 1.0]/' 's/3x4xf32/3x5xf32/' 's/tensor<4xi1>/tensor<5xi1>/g' %S/inputs/net.mlir > %t.mlir
// RUN: not nopt %t.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=truenorth/ns1e keep=axon_types},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-truenorth' 2>&1 | filecheck %s --check-prefix=TYPES
// RUN: rm -rf %t && nopt compile %t.mlir --target truenorth/ns1e --set core.input_axons=5 --dt 1ms --like euler --reset value -o %t -v | filecheck %s --check-prefix=FITTED
// TYPES:      error[TRN009]: the weights of a core need more types of axons than it has
// TYPES-NEXT:   at: core 0, which serves if1, if2
// TYPES-NEXT:   expected: at most 4 types, a weight of each neuron for each (truenorth/ns1e, core.crossbar.axon_types: {{.*}})
// TYPES-NEXT:   found: 5 types
// TYPES-NEXT:   help: nopt {{.*}}lowering-errors.mlir.tmp.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=truenorth/ns1e keep=axon_types},ntensor-fit-axon-types,convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-truenorth'
// FITTED:     ntensor-fit-axon-types{{.*}}: weights fitted to 4 values for each neuron
