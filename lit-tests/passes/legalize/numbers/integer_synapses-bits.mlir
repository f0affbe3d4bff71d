// RUN: nopt %S/integer_synapses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=5 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=tight_lif approximate=dynamics}' | filecheck %s
// RUN: nopt %S/integer_synapses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=2 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=small_each approximate=dynamics}' | filecheck %s --check-prefix=EACH
// RUN: nopt %S/integer_synapses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=2 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=narrow_lif approximate=dynamics}' -o /dev/null

// The bits of weights that `weight_bits-errors.mlir` suggests are enough: 12 + 4 <= 31 in six bits, and single terms of 1 in two.
// CHECK: ntensor.linear "fc" %in {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[12, -4], [4, 12]]
// CHECK: ntensor.neuron "lif" @tight_lif({{.*}} : (tensor<2xi6>)
// EACH: ntensor.neuron "lif" @small_each({{.*}} : (tensor<2x!ntensor.terms<2>>)
