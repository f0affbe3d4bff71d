// Axons follow from cores and routes.
// RUN: mutate 's/stage<routed>/stage<placed>/' '/machine.route/d' %S/../../dialects/machine/inputs/routed.mlir | not nopt - -p convert-machine-to-loihi2 2>&1 | filecheck %s --check-prefix=PLACED
// PLACED:      error[MCH017]: the graph is not routed
// PLACED-NEXT:   at: machine.graph @g
// PLACED-NEXT:   expected: stage routed
// PLACED-NEXT:   found: stage placed
// PLACED-NEXT:   help: nopt - -p machine-place-vertices,machine-route-edges,convert-machine-to-loihi2

// A graph for another device may add reals.
// RUN: not nopt %S/../../dialects/machine/inputs/routed.mlir -p convert-machine-to-loihi2 2>&1 | filecheck %s --check-prefix=REALS
// REALS:      error[ANA003]: a core does not compute a population or its sum
// REALS-NEXT:   at: machine.projection "fc1"
// REALS-NEXT:   expected: integers
// REALS-NEXT:   found: f32
// REALS-NEXT:   help: run ntensor-legalize for this device before convert-ntensor-to-machine

// A graph for a device that adds biases.
// RUN: not nopt %S/inputs/affine.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=asic/kinds},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-loihi2' 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS:       error[ANA003]: a core does not compute a population or its sum
// BIAS-NEXT:    at: machine.projection "fc1"
// BIAS-NEXT:    expected: a sum of spikes alone
// BIAS-NEXT:    found: a constant in each tick

// A neuro-core rounds the sum of each delay, the network that of all.
// RUN: nopt %S/../asic/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=loihi2/oheo_gulch}' -o %t.mlir
// RUN: mutate -i 's/\("hidden.wait1" .*<\)1 : tensor<i64>/\1[1, 2, 3] : tensor<3xi64>/' 's/\("fc2" .*{\)machine.latency/\1exponent = #nopt.array<-6 : tensor<i64>>, machine.latency/' %t.mlir
// RUN: not nopt %t.mlir -p 'convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-loihi2' 2>&1 | filecheck %s --check-prefix=ROUNDED
// ROUNDED:      error[ANA003]: a core does not compute a population or its sum
// ROUNDED-NEXT:   at: machine.projection "fc2"
// ROUNDED-NEXT:   expected: the same delay for all terms of a sum that is rounded
// ROUNDED-NEXT:   found: several delays
// ROUNDED-NEXT:   help: split the op by the delays of its synapses, or give it an exponent of at least 0
