// Numbers follow from cores.
// RUN: mutate 's/stage<routed>/stage<placed>/' '/machine.route/d' %S/../../dialects/machine/inputs/routed.mlir | not nopt - -p convert-machine-to-xylo 2>&1 | filecheck %s --check-prefix=PLACED
// PLACED:      error[MCH017]: the graph is not routed

// The chip adds no constant.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract},ntensor-legalize{device="xylo/audio2" approximate=comparison,reset},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges' > %t.mlir
// RUN: mutate '/linear "fc2"/s/quantized = /bias = #nopt.array<[1, 0] : tensor<2xi8>>, quantized = /' %t.mlir | not nopt - -p convert-machine-to-xylo 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS:        error[ANA003]: a core does not compute a population or its sum
// BIAS-NEXT:     at: machine.projection "fc2"
// BIAS-NEXT:     expected: a sum of spikes alone
// BIAS-NEXT:     found: a constant in each tick

// The chip adds the spikes of inputs first, where a current can saturate. Sums of reals get this order; one of integers keeps its own.
// RUN: nopt %S/inputs/late_input.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract},ntensor-legalize{device="xylo/audio2" approximate=comparison,reset}' -o %t.late.mlir
// RUN: nopt %t.late.mlir -p 'convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-xylo' -o /dev/null
// RUN: mutate 's/ntensor.sum %fc, %rec/ntensor.sum %rec, %fc/' %t.late.mlir | not nopt - -p 'convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-xylo' 2>&1 | filecheck %s --check-prefix=ORDER
// ORDER:       error[XYL016]: the chip adds the spikes of a tick in another order
// ORDER-NEXT:    at: machine.projection "rec"
// ORDER:         found: another order at neuron 0
// ORDER-NEXT:    help: run ntensor-clamp-delays{max-delay=1} before ntensor-legalize

// All weights of a layer have one shift: 32512 = 127 << 8 and 127 have none in common.
// RUN: mutate 's/\("rec" .\)s/\1x/' %S/inputs/late_input.mlir | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract},ntensor-legalize{device="xylo/audio2" approximate=comparison,reset}' > %t.two.mlir
// RUN: mutate '/linear "rec"/s/<\[\[[^>]*: tensor<2x2xi16>>, quantized = #ntensor.quantized<16/<[[127, 3], [5, 7]] : tensor<2x2xi16>>, quantized = #ntensor.quantized<8/' %t.two.mlir | not nopt - -p 'convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-xylo' 2>&1 | filecheck %s --check-prefix=SHIFT
// SHIFT:       error[XYL015]: the weights of a layer have no common shift
