// Connections follow from cores.
// RUN: mutate 's/stage<routed>/stage<placed>/' '/machine.route/d' %S/../../dialects/machine/inputs/routed.mlir | not nopt - -p convert-machine-to-spinnaker2 2>&1 | filecheck %s --check-prefix=PLACED
// PLACED:      error[MCH017]: the graph is not routed
// PLACED-NEXT:   at: machine.graph @g
// PLACED-NEXT:   expected: stage routed
// PLACED-NEXT:   found: stage placed
// PLACED-NEXT:   help: nopt - -p machine-place-vertices,machine-route-edges,convert-machine-to-spinnaker2

// The chip adds no bias.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker2/chip},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges' > %t.mlir
// RUN: mutate '/linear "fc2"/s/quantized = /bias = #nopt.array<[1, 0] : tensor<2xi8>>, quantized = /' %t.mlir | not nopt - -p convert-machine-to-spinnaker2 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS:        error[ANA003]: a core does not compute a population or its sum
// BIAS-NEXT:     at: machine.projection "fc2"
// BIAS-NEXT:     expected: a sum of spikes alone
// BIAS-NEXT:     found: a constant in each tick
// BIAS-NEXT:     help: run ntensor-legalize for this device before convert-ntensor-to-machine

// A population has the name of a neuron model, and of its reset.
// RUN: mutate 's/@lif_no_delay.value/@lif_no_delay.other/' %t.mlir | not nopt - -p convert-machine-to-spinnaker2 2>&1 | filecheck %s --check-prefix=MODEL
// MODEL:       error[CHI013]: the neurons are not those of the chip
// MODEL-NEXT:    at: machine.population "one"
// MODEL-NEXT:    expected: one of lif_no_delay, lif_curr_exp_no_delay, lif, lif_curr_exp, with the reset value or subtract
// MODEL-NEXT:    found: @lif_no_delay.other
// MODEL-NEXT:    help: run ntensor-legalize for this device before convert-ntensor-to-machine
