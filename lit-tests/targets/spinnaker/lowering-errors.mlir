// Keys follow from cores.
// RUN: sed 's/stage<routed>/stage<placed>/; /machine.route/d' %S/../../dialects/inputs/routed.mlir | not nopt - -p convert-machine-to-spinnaker 2>&1 | filecheck %s --check-prefix=PLACED
// PLACED:      error[SPL001]: the graph is not routed
// PLACED-NEXT:   at: machine.graph @g
// PLACED-NEXT:   expected: stage routed
// PLACED-NEXT:   found: stage placed
// PLACED-NEXT:   help: machine-place-vertices,machine-route-edges

// A graph for a device that adds biases and has weights with signs.
// RUN: not nopt %S/../loihi2/inputs/affine.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=asic/kinds},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-spinnaker' 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS:        error[SPL002]: a core does not compute this sum
// BIAS-NEXT:     at: machine.projection "fc1"
// BIAS-NEXT:     expected: a sum of spikes alone
// BIAS-NEXT:     found: a constant in each tick
// BIAS-NEXT:     help: run ntensor-legalize for this device before convert-ntensor-to-machine
