// Keys follow from cores.
// RUN: mutate 's/stage<routed>/stage<placed>/' '/machine.route/d' %S/../../dialects/machine/inputs/routed.mlir | not nopt - -p convert-machine-to-spinnaker 2>&1 | filecheck %s --check-prefix=PLACED
// PLACED:      error[MCH017]: the graph is not routed
// PLACED-NEXT:   at: machine.graph @g
// PLACED-NEXT:   expected: stage routed
// PLACED-NEXT:   found: stage placed
// PLACED-NEXT:   help: nopt - -p machine-place-vertices,machine-route-edges,convert-machine-to-spinnaker

// Keys and tables come before.
// RUN: not nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker/spinn3},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-spinnaker' 2>&1 | filecheck %s --check-prefix=KEYS
// KEYS:        error[SPN010]: the graph has no keys
// KEYS-NEXT:     at: machine.graph @net
// KEYS-NEXT:     expected: a key of each vertex
// KEYS-NEXT:     found: none
// KEYS-NEXT:     help: nopt {{.*}}net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker/spinn3},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,machine-make-tables,convert-machine-to-spinnaker'

// The chip adds no bias.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker/spinn3},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,machine-make-tables' > %t.mlir
// RUN: mutate '/linear "fc2"/s/quantized = /bias = #nopt.array<[1, 0] : tensor<2xi8>>, quantized = /' %t.mlir | not nopt - -p convert-machine-to-spinnaker 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS:        error[ANA003]: a core does not compute a population or its sum
// BIAS-NEXT:     at: machine.projection "fc2"
// BIAS-NEXT:     expected: a sum of spikes alone
// BIAS-NEXT:     found: a constant in each tick
// BIAS-NEXT:     help: run ntensor-legalize for this device before convert-ntensor-to-machine
