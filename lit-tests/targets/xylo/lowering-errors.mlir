// Numbers follow from cores.
// RUN: sed 's/stage<routed>/stage<placed>/; /machine.route/d' %S/../../dialects/inputs/routed.mlir | not nopt - -p convert-machine-to-xylo 2>&1 | filecheck %s --check-prefix=PLACED
// PLACED:      error[XLL001]: the graph is not routed

// The chip adds no constant, and all weights of a layer have one shift.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract},ntensor-legalize{device="xylo/audio2" approximate=comparison,reset},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges' > %t.mlir
// RUN: sed '/linear "fc2"/s/quantized = /bias = #nopt.array<[1, 0] : tensor<2xi8>>, quantized = /' %t.mlir | not nopt - -p convert-machine-to-xylo 2>&1 | filecheck %s --check-prefix=BIAS
// RUN: sed '/linear "fc2"/s/8192/8191/' %t.mlir | not nopt - -p convert-machine-to-xylo 2>&1 | filecheck %s --check-prefix=SHIFT
// BIAS:        error[XLL002]: the chip does not compute a population or its sum
// BIAS-NEXT:     at: machine.projection "fc2"
// BIAS-NEXT:     expected: a sum of spikes alone
// BIAS-NEXT:     found: a constant in each tick
// SHIFT:       error[XLL003]: the weights of a layer have no common shift
