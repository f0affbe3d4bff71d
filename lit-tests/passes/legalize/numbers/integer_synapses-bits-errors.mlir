// RUN: not nopt %S/integer_synapses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=tight_lif approximate=dynamics}' 2>&1 | filecheck %s
// RUN: not nopt %S/integer_synapses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=small_each approximate=dynamics}' 2>&1 | filecheck %s --check-prefix=EACH
// RUN: not nopt %S/integer_synapses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=narrow_lif approximate=dynamics}' 2>&1 | filecheck %s --check-prefix=NARROW
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=tight_lif approximate=dynamics}' 2>&1 | filecheck %s --check-prefix=NONE

// Weights of 8 bits are 96 and 32, so their sum is up to 128. At 6 bits the bound is 96 (31 / 96) + 32 (31 / 96) + 2 / 2 = 42.3, at 5 bits 15 (128 / 96) + 1 = 21.
// CHECK: error[LEG030]: the sum that arrives at input a of @tight_lif does not fit
// CHECK-NEXT: at: ntensor.neuron "lif"
// CHECK-NEXT: expected: -32..31
// CHECK-NEXT: found: -32..128: 9 bits
// CHECK-NEXT: help: nopt {{.*}}integer_synapses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=5 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" neuron=tight_lif approximate=dynamics}'

// Single terms of at most 1.
// EACH: error[LEG030]: a term that arrives at input a of @small_each does not fit
// EACH: help: nopt {{.*}}integer_synapses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=2 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" neuron=small_each approximate=dynamics}'

// 3 + 1 leaves -4..3, so two bits are left.
// NARROW: error[LEG030]: the sum that arrives at input a of @narrow_lif does not fit
// NARROW: help: nopt {{.*}}integer_synapses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=2 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" neuron=narrow_lif approximate=dynamics}'

// 36 spikes of weight 1 do not fit six bits, and the weights already have the fewest bits.
// NONE: error[LEG030]: the sum that arrives at input a of @tight_lif does not fit
// NONE: found: 0..36: 7 bits
// NONE: help: inputs of fewer bits, or fewer synapses for each neuron
nir.graph @pooled("in" %x: tensor<1x6x6xf32>) -> ("out": tensor<1x1x1xi1>) {
  %p = nir.sum_pool2d "pool" %x {kernel_size = #nopt.array<[6, 6] : tensor<2xi64>>, stride = #nopt.array<[6, 6] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<1x6x6xf32> -> tensor<1x1x1xf32>
  %z = nir.lif "lif" %p {tau = #nopt.array<[[[0.004]]] : tensor<1x1x1xf64>>, r = #nopt.array<[[[4.0]]] : tensor<1x1x1xf32>>, v_leak = #nopt.array<[[[0.0]]] : tensor<1x1x1xf32>>, v_threshold = #nopt.array<[[[2.0]]] : tensor<1x1x1xf32>>, v_reset = #nopt.array<[[[0.0]]] : tensor<1x1x1xf32>>} : tensor<1x1x1xf32> -> tensor<1x1x1xi1>
  nir.output %z : tensor<1x1x1xi1>
}
