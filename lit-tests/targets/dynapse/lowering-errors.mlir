// Synapses follow from cores.
// RUN: mutate 's/stage<routed>/stage<placed>/' '/machine.route/d' %S/../../dialects/machine/inputs/routed.mlir | not nopt - -p convert-machine-to-dynapse 2>&1 | filecheck %s --check-prefix=PLACED
// PLACED:      error[MCH017]: the graph is not routed
// PLACED-NEXT:   at: machine.graph @g
// PLACED-NEXT:   expected: stage routed
// PLACED-NEXT:   found: stage placed
// PLACED-NEXT:   help: nopt - -p machine-place-vertices,machine-route-edges,convert-machine-to-dynapse

// A synapse adds no bias.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=dynapse/se2 approximate=initial,current,refractory,reset,early},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges' > %t.mlir
// RUN: mutate '/linear "fc2"/s/quantized = /bias = #nopt.array<[1, 0] : tensor<2xi16>>, quantized = /' %t.mlir | not nopt - -p convert-machine-to-dynapse 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS:        error[ANA003]: a core does not compute a population or its sum
// BIAS-NEXT:     at: machine.projection "fc2"
// BIAS-NEXT:     expected: a sum of spikes alone
// BIAS-NEXT:     found: a constant in each tick
// BIAS-NEXT:     help: run ntensor-legalize for this device before convert-ntensor-to-machine

// All synapses of a core share four currents of up to 255 steps: 1020 is their largest sum, and 1021 is none.
// RUN: mutate '/linear "fc2"/s/510\], \[255/510], [765/' %t.mlir | nopt - -p convert-machine-to-dynapse -o /dev/null
// RUN: mutate '/linear "fc2"/s/510\], \[255/510], [1021/' %t.mlir | not nopt - -p convert-machine-to-dynapse 2>&1 | filecheck %s --check-prefix=SUMS
// RUN: mutate '/linear "fc2"/s/\[1020, 510\], \[255, -1020\]/[1020, 1019], [1, -1018]/' %t.mlir | not nopt - -p convert-machine-to-dynapse 2>&1 | filecheck %s --check-prefix=CURRENTS
// SUMS:        error[DSN010]: the weights of a core are not sums of its currents
// SUMS-NEXT:     at: machine.projection "fc2"
// SUMS-NEXT:     expected: integers that are sums of subsets of four numbers up to 255, for all synapses of a core
// SUMS-NEXT:     found: 3 other sizes of weights on core 1
// SUMS-NEXT:     help: run ntensor-replace-biases,ntensor-fit-weight-masks before convert-ntensor-to-machine
// CURRENTS:    error[DSN010]: the weights of a core are not sums of its currents
