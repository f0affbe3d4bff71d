// RUN: not nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"}' 2>&1 | filecheck %s --check-prefix=REALS
// RUN: not nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=column},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"}' 2>&1 | filecheck %s --check-prefix=COLUMN
// RUN: not nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=row},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"}' 2>&1 | filecheck %s --check-prefix=ROW
// RUN: not nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=population},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"}' 2>&1 | filecheck %s --check-prefix=BIAS
// RUN: not nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" accumulator=3}' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=counting_lif approximate=count,comparison,reset accumulator=6}' 2>&1 | filecheck %s --check-prefix=WIDE
// RUN: not nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=narrow_lif approximate=dynamics}' 2>&1 | filecheck %s --check-prefix=NARROW
// RUN: not nopt %S/../inputs/chain.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"}' 2>&1 | filecheck %s --check-prefix=SEVERAL
// RUN: nopt %S/../inputs/chain.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-quantize-weights{bits=3 nodes=one},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"}' | filecheck %s --check-prefix=ONE
// RUN: not nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=tight_lif approximate=dynamics accumulator=7}' 2>&1 | filecheck %s --check-prefix=SEVEN
// RUN: not nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=small_each nodes=last approximate=dynamics}' 2>&1 | filecheck %s --check-prefix=TERM
// RUN: not nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=each_lif approximate=dynamics}' 2>&1 | filecheck %s --check-prefix=LATE
// RUN: nopt %S/../updates/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-hoist-delays,ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=each_lif approximate=dynamics}' | filecheck %s --check-prefix=EARLY
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"}' 2>&1 | filecheck %s --check-prefix=INPUT
// RUN: not nopt %S/../inputs/shared.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=tensor},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" nodes=a}' 2>&1 | filecheck %s --check-prefix=SHARED

// Real weights.
// REALS: error[LEG027]: the weights of "rec" are not quantized
// REALS-NEXT:   at: ntensor.linear "rec"
// REALS-NEXT:   expected: weights that are integers times their scale
// REALS-NEXT:   found: weights of float32
// REALS-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron"}'

// A scale for each input.
// COLUMN: error[LEG028]: synapses of one neuron have different scales
// COLUMN-NEXT:   at: ntensor.linear "rec"
// COLUMN-NEXT:   expected: one scale for all synapses of a neuron
// COLUMN-NEXT:   found: scales of shape (1, 2)
// COLUMN-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron"}'

// A scale for each row, of each op: those of "rec" are 1 / 3 and 0.5 / 3.
// ROW: error[LEG028]: synapses that meet in one neuron have different scales
// ROW-NEXT:   at: ntensor.sum of "rec.delay", "fc"
// ROW-NEXT:   expected: one scale for all synapses of a neuron
// ROW-NEXT:   found: different ones in "rec.delay", "fc"
// ROW-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron"}'

// With the scale 3 / 3 of the whole layer, a bias of -0.5 is half an integer.
// BIAS: error[LEG029]: the bias of "fc" is not an integer times the scale of its weights
// BIAS-NEXT:   at: ntensor.linear "fc"
// BIAS-NEXT:   expected: a multiple of the scale of the weights
// BIAS-NEXT:   found: up to 0.5 units away from an integer
// BIAS-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=population},ntensor-quantize-bias,ntensor-set-neuron-model{to="{{.*}}fixed.neuron"}'

// 3 + 2 = 5 needs four bits.
// BITS: error[LEG030]: a sum needs 4 bits, and its accumulator has 3
// BITS-NEXT:   at: ntensor.linear "fc"
// BITS-NEXT:   expected: -4..3: 3 bits
// BITS-NEXT:   found: -1..5: 4 bits
// BITS-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" accumulator=4}'

// The help line above works.
// WIDE: ntensor.linear "fc" {{.*}} -> tensor<2xi6>

// An input that neither wraps nor saturates must hold the worst case.
// NARROW: error[LEG030]: the sum that arrives at input a of @narrow_lif does not fit
// NARROW-NEXT:   at: ntensor.neuron "lif"
// NARROW-NEXT:   expected: -4..3
// NARROW-NEXT:   found: -2..6: 4 bits

// The worst case fits six bits, and an accumulator of seven does not.
// SEVEN: error[LEG030]: the accumulator that arrives at input a of @tight_lif does not fit
// SEVEN-NEXT:   at: ntensor.neuron "lif"
// SEVEN-NEXT:   expected: -32..31
// SEVEN-NEXT:   found: -64..63: 7 bits

// The same for wider terms: 3 does not fit two bits.
// TERM: error[LEG030]: a term that arrives at input a of @small_each does not fit
// TERM-NEXT:   at: ntensor.neuron "last"
// TERM-NEXT:   expected: -2..1
// TERM-NEXT:   found: -4..3: 3 bits

// One op reads the sums of another, whose rows have the scales 1 and 0.5. With one scale, of eight bits, it goes: 1 / 32, so its integers are 96, -32, 16 and 48.
// SEVERAL: error[LEG028]: "two" adds operands of several scales
// SEVERAL-NEXT:   at: ntensor.linear "two"
// SEVERAL-NEXT:   expected: one scale for all synapses of a neuron
// SEVERAL-NEXT:   found: several
// SEVERAL-NEXT:   help: nopt {{.*}}chain.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 nodes=one},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron"}'
// ONE: ntensor.linear "two" {{.*}} : tensor<2xi8> -> tensor<2xi8>

// Terms cannot be delayed.
// LATE: error[LEG032]: ntensor.delay cannot produce terms that are added one by one
// LATE-NEXT:   at: ntensor.delay "rec.delay"
// LATE-NEXT:   expected: an op with an integer form
// LATE-NEXT:   found: ntensor.delay
// LATE-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-hoist-delays,ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" neuron=each_lif approximate=dynamics}'
// EARLY: ntensor.linear "rec" {{.*}} -> tensor<2x!ntensor.terms<2>>

// A real input.
// INPUT: error[LEG026]: an integer neuron reads input "in", which produces reals
// INPUT-NEXT:   at: input "in"
// INPUT-NEXT:   expected: spikes, counts or integers
// INPUT-NEXT:   found: f64
// INPUT-NEXT:   help: nopt {{.*}}integer_synapses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron"}'

// Both populations read "one".
// SHARED: error[LEG031]: ntensor.neuron "b" reads a value that becomes integers
// SHARED-NEXT:   at: ntensor.linear "one"
// SHARED-NEXT:   expected: readers that become integers, too
// SHARED-NEXT:   found: ntensor.neuron "b"
// SHARED-NEXT:   help: nopt {{.*}}shared.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=tensor},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" nodes=a,b}'

nir.graph @real("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[3.0, -1.0], [0.5, 1.5]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
