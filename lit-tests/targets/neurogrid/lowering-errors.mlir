// Terminals follow from cores.
// RUN: mutate 's/stage<routed>/stage<placed>/' '/machine.route/d' %S/../../dialects/machine/inputs/routed.mlir | not nopt - -p convert-machine-to-neurogrid 2>&1 | filecheck %s --check-prefix=PLACED
// PLACED:      error[MCH017]: the graph is not routed
// PLACED-NEXT:   at: machine.graph @g
// PLACED-NEXT:   expected: stage routed
// PLACED-NEXT:   found: stage placed
// PLACED-NEXT:   help: nopt - -p machine-place-vertices,machine-route-edges,convert-machine-to-neurogrid

// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges' > %t.mlir
// RUN: nopt %t.mlir -p convert-machine-to-neurogrid -o /dev/null

// A synapse population adds events alone, from 0 on, in the next tick.
// RUN: mutate '/linear "fc2.excitatory"/s/quantized = /bias = #nopt.array<[1, 0] : tensor<2xi8>>, quantized = /' %t.mlir | not nopt - -p convert-machine-to-neurogrid 2>&1 | filecheck %s --check-prefix=BIAS
// RUN: mutate '/linear "fc2.excitatory"/s/\[1, 0\], \[2, 1\]/[1, 0], [-2, 1]/' %t.mlir | not nopt - -p convert-machine-to-neurogrid 2>&1 | filecheck %s --check-prefix=NEGATIVE
// BIAS:        error[ANA003]: a core does not compute a population or its sum
// BIAS-NEXT:     at: machine.projection "fc2.excitatory"
// BIAS-NEXT:     expected: a sum of events alone
// BIAS-NEXT:     found: a constant in each tick
// BIAS-NEXT:     help: run ntensor-legalize for this device before convert-ntensor-to-machine
// NEGATIVE:    error[ANA003]
// NEGATIVE:      expected: numbers of events, from 0
// NEGATIVE-NEXT: found: -2

// Neurons of another chip have other parameters.
// RUN: nopt %S/../spinnaker2/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker2/chip},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges' | not nopt - -p convert-machine-to-neurogrid 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER:       error[CHI013]: the neurons are not those of the chip
// OTHER-NEXT:    at: machine.population "one"
// OTHER-NEXT:    expected: parameters of a soma, and of at most four synapse populations
// OTHER-NEXT:    found: those of @lif_no_delay.value
// OTHER-NEXT:    help: run ntensor-legalize for this device before convert-ntensor-to-machine

// No events have weights that are another sum than one of arbors.
// RUN: nopt %S/inputs/row.mlir -p 'ntensor-fit-arbors{excitatory=1.0 max-events=3},ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset,comparison,decay,threshold,leak,current,initial,bound,count},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges' > %t.row
// RUN: nopt %t.row -p convert-machine-to-neurogrid -o /dev/null
// RUN: mutate 's/\[2, 6, 15, 6, 2/[2, 6, 15, 7, 2/' %t.row | not nopt - -p convert-machine-to-neurogrid 2>&1 | filecheck %s --check-prefix=ARBOR
// ARBOR:       error[NGR015]: no events have these weights
// ARBOR-NEXT:    at: machine.projection "fc.excitatory"
// ARBOR-NEXT:    expected: sums of arbors with the radius 1 of exc
// ARBOR-NEXT:    found: other weights of neuron 0 of in
// ARBOR-NEXT:    help: fit the weights by arbors again, before the network is legalised
