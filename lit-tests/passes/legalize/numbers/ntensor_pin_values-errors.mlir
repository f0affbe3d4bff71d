// RUN: nopt %S/../inputs/pinned.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike}' -o %t.reals.mlir
// RUN: nopt %t.reals.mlir -p 'ntensor-quantize-weights{bits=8 per=population scale=power-of-two},ntensor-set-neuron-model{to="%S/../inputs/pinned.neuron" neuron=curved approximate=dynamics,threshold}' -o %t.mlir
// RUN: nopt %t.reals.mlir -p 'ntensor-quantize-weights{bits=6 per=population scale=power-of-two},ntensor-set-neuron-model{to="%S/../inputs/pinned.neuron" neuron=each_term approximate=dynamics}' | mutate 's/quantized<6,/quantized<8,/' - > %t.terms.mlir

// Another text than a pin. All of them are reported, with a help that corrects all.
// RUN: exits 2 nopt %t.mlir -p 'ntensor-pin-values{values="lif1.if.th=2.6,0.weight,0.weight=x"}' 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: exits 2 nopt %t.mlir -p 'ntensor-pin-values{values=""}' 2>&1 | filecheck %s --check-prefix=EMPTY
// TEXT:      error[LEG072]: a pin is not NODE.PARAM=INTEGER
// TEXT-NEXT:   at: lif1.if.th=2.6
// TEXT-NEXT:   expected: NODE.PARAM=INTEGER, for example lif.vth=25
// TEXT-NEXT:   found: 2.6
// TEXT-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.mlir -p 'ntensor-pin-values{values="lif1.if.th=3"}'
// TEXT-NEXT: error[LEG072]: a pin is not NODE.PARAM=INTEGER
// TEXT-NEXT:   at: 0.weight,0.weight=x
// TEXT-NEXT:   expected: NODE.PARAM=INTEGER, for example lif.vth=25
// TEXT-NEXT:   found: 0.weight,0.weight=x
// TEXT-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.mlir -p 'ntensor-pin-values{values="lif1.if.th=3"}'
// EMPTY: error[LEG072]: a pin is not NODE.PARAM=INTEGER

// One number twice, even with one value.
// RUN: exits 2 nopt %t.mlir -p 'ntensor-pin-values{values="lif1.if.th=2,0.weight=3","lif1.if.th=5"}' 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: nopt %t.mlir -p 'ntensor-pin-values{values="lif1.if.th=2,0.weight=3"}' -o /dev/null
// TWICE:      error[LEG077]: lif1.if.th is pinned twice
// TWICE-NEXT:   at: lif1.if.th=5
// TWICE-NEXT:   expected: one value
// TWICE-NEXT:   found: lif1.if.th=2 and lif1.if.th=5
// TWICE-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.mlir -p 'ntensor-pin-values{values="lif1.if.th=2,0.weight=3"}'

// An unknown node, and an unknown number of a node: near names.
// RUN: exits 2 nopt %t.mlir -p 'ntensor-pin-values{values="if.th=2,0.weight=3"}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: exits 2 nopt %t.mlir -p 'ntensor-pin-values{values="lif1.if.vth=2,0.small.weights=3,0.weight=3"}' 2>&1 | filecheck %s --check-prefix=PARAM
// NODE:      error[LEG073]: unknown node "if"
// NODE-NEXT:   at: if.th=2
// NODE-NEXT:   expected: 0, 0.small, lif1.if
// NODE-NEXT:   found: if
// NODE-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.mlir -p 'ntensor-pin-values{values="lif1.if.th=2,0.weight=3"}'
// PARAM:      error[LEG074]: "lif1.if" has no parameter vth
// PARAM-NEXT:   at: lif1.if.vth=2, ntensor.neuron "lif1.if"
// PARAM-NEXT:   expected: th
// PARAM-NEXT:   found: vth
// PARAM-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.mlir -p 'ntensor-pin-values{values="lif1.if.th=2,0.small.weight=3,0.weight=3"}'
// PARAM-NEXT: error[LEG074]: "0.small" has no parameter weights
// PARAM-NEXT:   at: 0.small.weights=3, ntensor.linear "0.small"
// PARAM-NEXT:   expected: weight
// PARAM-NEXT:   found: weights
// PARAM-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.mlir -p 'ntensor-pin-values{values="lif1.if.th=2,0.small.weight=3,0.weight=3"}'

// A value that the type of the parameter, or the bits of the weights, do not hold. The help lines work.
// RUN: exits 1 nopt %t.mlir -p 'ntensor-pin-values{values="lif1.if.th=40000,0.weight=-129"}' 2>&1 | filecheck %s --check-prefix=RANGE
// RUN: nopt %t.mlir -p 'ntensor-pin-values{values="lif1.if.th=32767"}' -o /dev/null
// RUN: exits 1 nopt %s -p 'ntensor-pin-values{values="sign.weight=0","asymmetric.weight=10"}' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: nopt %s -p 'ntensor-pin-values{values="sign.weight=1,asymmetric.weight=9"}' -o /dev/null
// RANGE:      error[LEG075]: a pinned value is out of range
// RANGE-NEXT:   at: lif1.if.th=40000, ntensor.neuron "lif1.if"
// RANGE-NEXT:   expected: -32768..32767, parameter th of @curved
// RANGE-NEXT:   found: 40000
// RANGE-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.mlir -p 'ntensor-pin-values{values="lif1.if.th=32767,0.weight=-128"}'
// RANGE-NEXT: error[LEG075]: a pinned value is out of range
// RANGE-NEXT:   at: 0.weight=-129, ntensor.linear "0"
// RANGE-NEXT:   expected: -128..127, weights of "0" of 8 bits
// RANGE-NEXT:   found: -129
// RANGE-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.mlir -p 'ntensor-pin-values{values="lif1.if.th=32767,0.weight=-128"}'
// BITS:       error[LEG075]: a pinned value is out of range
// BITS-NEXT:    at: sign.weight=0, ntensor.linear "sign"
// BITS-NEXT:    expected: -1 or 1, weights of "sign" of 1 bit, which is the sign
// BITS-NEXT:    found: 0
// BITS-NEXT:    help: nopt {{.*}}ntensor_pin_values-errors.mlir -p 'ntensor-pin-values{values="sign.weight=1,asymmetric.weight=9"}'
// BITS-NEXT:  error[LEG075]: a pinned value is out of range
// BITS-NEXT:    at: asymmetric.weight=10, ntensor.linear "asymmetric"
// BITS-NEXT:    expected: -6..9, weights of "asymmetric" of 4 bits
// BITS:         help: nopt {{.*}}ntensor_pin_values-errors.mlir -p 'ntensor-pin-values{values="sign.weight=1,asymmetric.weight=9"}'

// Numbers that are not integers: parameters of reals, and weights of reals.
// RUN: exits 1 nopt %t.reals.mlir -p 'ntensor-pin-values{values="lif1.if.v_threshold=1,0.weight=2"}' 2>&1 | filecheck %s --check-prefix=REALS
// RUN: exits 1 nopt %s -p 'ntensor-pin-values{values="plain.weight=1"}' 2>&1 | filecheck %s --check-prefix=PLAIN
// REALS:      error[LEG076]: parameter v_threshold of @norse_if.value is not an integer
// REALS-NEXT:   at: lif1.if.v_threshold=1, ntensor.neuron "lif1.if"
// REALS-NEXT:   expected: a parameter of integers, as neurons of a chip have: a device with neurons, or ntensor-set-neuron-model
// REALS-NEXT:   found: f64
// REALS-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.reals.mlir -p 'ntensor-pin-values{values="0.weight=2"}'
// REALS-NEXT: error[LEG076]: the weights of "0" are not integers
// REALS-NEXT:   at: 0.weight=2, ntensor.linear "0"
// REALS-NEXT:   expected: quantized weights, or a sum of integers
// REALS-NEXT:   found: f32, of a sum of f64
// REALS-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.reals.mlir -p 'ntensor-quantize-weights{bits=8},ntensor-pin-values{values="lif1.if.v_threshold=1,0.weight=2"}'
// PLAIN:        found: i8, of a sum of f64

// Zeros are not synapses. Nothing can be pinned.
// RUN: exits 1 nopt %s -p 'ntensor-pin-values{values="zeros.weight=1"}' 2>&1 | filecheck %s --check-prefix=ZEROS
// ZEROS:      error[LEG078]: all weights of "zeros" are 0
// ZEROS-NEXT:   at: zeros.weight=1, ntensor.linear "zeros"
// ZEROS-NEXT:   expected: a weight other than 0: a zero is not a synapse
// ZEROS-NEXT:   found: 3 zeros
// ZEROS-NEXT:   help: leave ntensor-pin-values out

// Three synapses of 120 are 360, and the population takes 9 bits. Half of it fits.
// RUN: exits 1 nopt %t.mlir -p 'ntensor-pin-values{values="0.weight=120,lif1.if.th=3"}' 2>&1 | filecheck %s --check-prefix=WIDE
// RUN: nopt %t.mlir -p 'ntensor-pin-values{values="0.weight=60,lif1.if.th=3"}' -o /dev/null
// WIDE:      error[LEG079]: pinned weights make a sum too wide
// WIDE-NEXT:   at: ntensor.neuron "lif1.if"
// WIDE-NEXT:   expected: -256..255
// WIDE-NEXT:   found: 0..36{{[0-9]}}: 10 bits
// WIDE-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.mlir -p 'ntensor-pin-values{values="0.weight=60,lif1.if.th=3"}'

// Another population takes terms of 6 bits: 100 is too much, and so is 50.
// RUN: exits 1 nopt %t.terms.mlir -p 'ntensor-pin-values{values="0.small.weight=100"}' 2>&1 | filecheck %s --check-prefix=TERMS
// RUN: nopt %t.terms.mlir -p 'ntensor-pin-values{values="0.small.weight=25"}' -o /dev/null
// TERMS:      error[LEG079]: pinned weights make a sum too wide
// TERMS-NEXT:   at: ntensor.neuron "lif1.if"
// TERMS-NEXT:   expected: -32..31
// TERMS-NEXT:   found: 0..100: 8 bits
// TERMS-NEXT:   help: nopt {{.*}}ntensor_pin_values-errors.mlir.tmp.terms.mlir -p 'ntensor-pin-values{values="0.small.weight=25"}'

// A pin of a node that is not there is refused before any other step, a value beyond the device's neuron after the conversion. Helps repeat the option of the legalisation.
// RUN: exits 2 nopt %S/../inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" pin-values="c.k=100,fc2.weight=-5"}' 2>&1 | filecheck %s --check-prefix=DEVICE
// RUN: exits 1 nopt %S/../inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" approximate=plasticity pin-values="a.k=600"}' 2>&1 | filecheck %s --check-prefix=VALUE
// DEVICE:       error[LEG073]: unknown node "c"
// DEVICE:         help: nopt {{.*}}layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" pin-values="b.k=100,fc2.weight=-5"}'
// VALUE:      error[LEG075]: a pinned value is out of range
// VALUE-NEXT:   at: a.k=600, ntensor.neuron "a"
// VALUE-NEXT:   expected: 0..511, parameter k of @edge_lif.value (asic/edge, neuron.updates)
// VALUE-NEXT:   found: 600
// VALUE-NEXT:   help: nopt {{.*}}layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" approximate=plasticity pin-values="a.k=511"}'

// RUN: exits 1 nopt %S/../inputs/pinned.mlir -p 'ntensor-pin-values{values="0.weight=120"}' 2>&1 | filecheck %s --check-prefix=TICKS
// TICKS: error[NTE009]
ntensor.network @net("input" %x: tensor<3xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "sign" %x {weight = #nopt.array<[[1, -1, 1]] : tensor<1x3xi8>>, quantized = #ntensor.quantized<1, #nopt.array<0.5 : tensor<f64>>>} : tensor<3xi1> -> tensor<1xf64>
  %b = ntensor.linear "asymmetric" %x {weight = #nopt.array<[[-8, -2, 7]] : tensor<1x3xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>, #nopt.array<-2 : tensor<i8>>>} : tensor<3xi1> -> tensor<1xf64>
  %c = ntensor.linear "plain" %x {weight = #nopt.array<[[1, 2, 3]] : tensor<1x3xi8>>} : tensor<3xi1> -> tensor<1xf64>
  %d = ntensor.linear "zeros" %x {weight = #nopt.array<[[0, 0, 0]] : tensor<1x3xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<3xi1> -> tensor<1xf64>
  %y = ntensor.sum %a, %b, %c, %d : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
