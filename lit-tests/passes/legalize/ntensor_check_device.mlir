// RUN: nopt %s -p 'ntensor-check-device{device=asic/mesh}' | filecheck %s
// RUN: nopt %s -p 'ntensor-check-device{device=asic/mesh}' -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: nopt %s -p 'ntensor-check-device{device=asic/mesh set="plasticity.pairs.trace_bits=4"}' -o /dev/null 2>&1 | filecheck %s --check-prefix=SET
// RUN: nopt %root/examples/bars/bars.nir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=4 per=population},ntensor-set-neuron-model{to="asic/edge" approximate=bound,count,comparison},ntensor-check-device{device=asic/edge}' -o /dev/null

// The rule is supported, and weights of 8 bits suffice; the learnt weights differ, because traces have 7 bits.
// The network is unchanged, and does not refer to the checked device.
// REMARK:      remark[LEG067]: asic/mesh changes weights by pairs, but not exactly so
// REMARK-NEXT:   at: ntensor.linear "fc"
// REMARK-NEXT:   note: traces have 7 bits
// CHECK-LABEL: ntensor.network @learns
// CHECK-NOT:     machine.device
// CHECK:         plasticity = #nir.stdp
// SET:         note: traces have 4 bits
ntensor.network @learns("in" %x: tensor<2xi1>) -> ("out": tensor<1xi16>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<1xi16>
  ntensor.output %y : tensor<1xi16>
}
