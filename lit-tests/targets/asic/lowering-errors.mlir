// A graph without routes has no tables.
// RUN: mutate 's/stage<routed>/stage<placed>/' '/machine.route/d' %S/../../dialects/machine/inputs/routed.mlir | not nopt - -p convert-machine-to-asic 2>&1 | filecheck %s --check-prefix=PLACED
// PLACED:      error[MCH017]: the graph is not routed
// PLACED-NEXT:   at: machine.graph @g
// PLACED-NEXT:   expected: stage routed
// PLACED-NEXT:   found: stage placed
// PLACED-NEXT:   help: nopt - -p machine-place-vertices,machine-route-edges,convert-machine-to-asic

// Two ops that multiply reals would round twice, and a table rounds once.
// RUN: mutate 's/, needs = {[^}]*}//' 's/%d = ntensor.delay "wait" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<3xi1>/&\n    %h = ntensor.scale "half" %d {scale = #nopt.array<1 : tensor<i8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<3xi1> -> tensor<3xf32>/' 's/"rec" %d/"rec" %h/' 's/\("rec" %h.*\) : tensor<3xi1> ->/\1 : tensor<3xf32> ->/' %S/../../dialects/machine/inputs/routed.mlir | not nopt - -p convert-machine-to-asic 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE:      error[ANA001]: no table of the chip holds a projection
// TWICE-NEXT:   at: machine.projection "rec"
// TWICE-NEXT:   expected: pools, then one op that adds reals
// TWICE-NEXT:   found: ntensor.scale, ntensor.linear
// TWICE-NEXT:   help: run ntensor-merge-synapses before convert-ntensor-to-machine
// TWICE-NEXT:     nopt check - --target auto

// The words of the device have one bit for an axon, and a core has three axons.
// RUN: rm -rf %t && mkdir -p %t && cp %root/targets/asic/devices/edge.* %t
// RUN: mutate -i 's/"output_axons": {/"images": {"axons": {"word": ["axon:1", "start:8", "count:8"], "source": "synthetic"}}, &/' %t/edge.json
// RUN: mutate 's@"asic/edge"@"%t/edge.json"@' %S/../../dialects/machine/inputs/routed.mlir | not nopt - -p convert-machine-to-asic 2>&1 | filecheck %s --check-prefix=WORD
// WORD:      error[ASI017]: a number does not fit into the field axon of asic/edge
// WORD-NEXT:   at: core 0, with lif1
// WORD-NEXT:   expected: an integer from 0 to 1 (asic/edge, core.images.axons.word)
// WORD-NEXT:   found: 2
// WORD-NEXT:   help: nopt check - --target auto
// WORD-NEXT:   note: core.images.axons.word is the layout of a word: a device file with more bits for axon is another chip

// A matrix has one weight for two neurons, and this device has no other layout. The projection is refused by the name of its last op.
// RUN: exits 1 nopt check %S/inputs/overlapping.mlir --dt 1ms --like norse --target asic/edge | filecheck %s --check-prefix=PAIRS
// RUN: exits 1 nopt compile %S/inputs/overlapping.mlir --dt 1ms --like norse --target asic/edge -o %t.none 2>&1 | filecheck %s --check-prefix=PAIRS
// PAIRS:      error[ANA001]: no table of the chip holds a projection
// PAIRS:        at: machine.projection "fc"
// PAIRS-NEXT:   expected: one synapse of each axon and neuron, in the layout dense
// PAIRS-NEXT:   found: several synapses between the same two neurons
// PAIRS-NEXT:   help: nopt {{check|compile}} {{.*}} {{-p|--passes}} ntensor-merge-synapses{{$}}
// PAIRS-NEXT:     nopt check {{.*}} --target auto
// PAIRS-NOT:  ASI017
