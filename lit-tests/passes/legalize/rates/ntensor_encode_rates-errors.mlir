// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-encode-rates{window=16}' 2>&1 | filecheck %s
// RUN: not nopt %S/../inputs/approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-encode-rates{window=16}' 2>&1 | filecheck %s --check-prefix=ALL
// RUN: not nopt %S/../inputs/approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-encode-rates{window=16 approximate=leak,delay}' 2>&1 | filecheck %s --check-prefix=RESPONSE
// RUN: nopt %S/../inputs/approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-encode-rates{window=16 approximate=leak,response,delay}' | filecheck %s --check-prefix=DONE
// RUN: not nopt %S/../inputs/approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-encode-rates{window=1 approximate=leak,response,delay}' 2>&1 | filecheck %s --check-prefix=SHORT
// RUN: nopt %S/../inputs/approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-encode-rates{window=4 approximate=leak,response,delay}' -o /dev/null
// RUN: not nopt %S/../inputs/approximated.mlir -p 'ntensor-encode-rates{window=16}' 2>&1 | filecheck %s --check-prefix=TIME
// RUN: not nopt %S/../inputs/approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=0}' 2>&1 | filecheck %s --check-prefix=WINDOW
// RUN: not nopt %S/../inputs/approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=16 bits=17}' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: not nopt %S/../inputs/approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=16 approximate=leaks}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not nopt %S/../inputs/approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=16 approximate=leak,response,delay},ntensor-encode-rates{window=2}' 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-set-neuron-model{to="%S/../inputs/layer.neuron"}' 2>&1 | filecheck %s --check-prefix=SERVED
// RUN: not nopt %S/../inputs/approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="%S/../inputs/layer.neuron" nodes=lif}' 2>&1 | filecheck %s --check-prefix=LEAKY

// Neurons of layers serve no spiking neuron. The help names this pass.
// SERVED:      error[LEG025]: no neuron of {{.*}}layer.neuron serves family if
// SERVED-NEXT:   at: ntensor.neuron "if"
// SERVED-NEXT:   expected: layer for activation
// SERVED-NEXT:   found: family if
// SERVED-NEXT:   help: nopt {{.*}}counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=15},ntensor-set-neuron-model{to="{{.*}}layer.neuron"}'
// SERVED-NEXT:   note: its layers compute counts of spikes in a window of ticks, whose length is a choice
// LEAKY: help: nopt {{.*}}approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=15 approximate=leak,delay},ntensor-set-neuron-model{to="{{.*}}layer.neuron" nodes=lif}'

// All errors are reported, each with the options that all of them need.
// ALL:      error[LEG086]: a layer has no delays
// ALL-NEXT:   at: ntensor.delay "late"
// ALL-NEXT:   expected: no delay
// ALL-NEXT:   found: 2 ticks
// ALL-NEXT:   help: nopt {{.*}}approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-encode-rates{window=16 approximate=leak,delay}'
// ALL-NEXT: error[LEG089]: a layer keeps no state that leaks
// ALL-NEXT:   at: ntensor.neuron "lif"
// ALL-NEXT:   expected: an integrate-and-fire neuron: its potential is the sum of its inputs
// ALL-NEXT:   found: family lif: decay = 0.9375
// ALL-NEXT:   help: nopt {{.*}}approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-encode-rates{window=16 approximate=leak,delay}'
// ALL-NEXT: error[LEG089]: a layer keeps no state that leaks
// ALL-NEXT:   at: ntensor.neuron "li"

// A reset to a value discards what exceeds the threshold: the count of an input of 15/16 of the threshold in each tick is 8, and not 14.
// RESPONSE:      error[LEG090]: the response of a population is not that of a layer
// RESPONSE-NEXT:   at: ntensor.neuron "if"
// RESPONSE-NEXT:   expected: one more spike for each further threshold of input: a reset that subtracts the threshold
// RESPONSE-NEXT:   found: counts of constant inputs that differ by up to 4 from a line, in @norse_if.value
// RESPONSE-NEXT:   help: nopt {{.*}}approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-encode-rates{window=16 approximate=leak,response,delay}'

// The fit keeps the threshold: less than it in a whole frame causes no spike.
// DONE: "spikes of 16 ticks become counts of a frame; responses approximated: lif, if; outputs of the input, not of the state: li; delays dropped; errors of the responses to constant inputs", ["lif", "if", "li"], 4.000000e+00 : f64
// DONE: ntensor.neuron "if" {{.*}}canonical = {threshold = #nopt.array<1.0 : tensor<f64>>, level = #nopt.array<1.3

// A window of one tick has counts of 0 and 1, which lie on no line.
// SHORT:      error[LEG082]: the population has no counts that grow with a constant input
// SHORT-NEXT:   at: ntensor.neuron "lif"
// SHORT-NEXT:   expected: counts between 0 and the number of ticks of a window
// SHORT-NEXT:   found: 0 to 1
// SHORT-NEXT:   help: nopt {{.*}}approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-encode-rates{window=4 approximate=leak,response,delay}'

// TIME: error[NTE009]: no network in ticks

// WINDOW:      error[LEG083]: the ticks or bits of rates are out of range
// WINDOW-NEXT:   at: window=0
// WINDOW-NEXT:   expected: 1 to 65535
// WINDOW-NEXT:   found: 0
// WINDOW-NEXT:   help: nopt {{.*}}approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=1}'

// BITS:      error[LEG083]: the ticks or bits of rates are out of range
// BITS-NEXT:   at: bits=17
// BITS-NEXT:   expected: 1 to 16
// BITS-NEXT:   found: 17
// BITS-NEXT:   help: nopt {{.*}}approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=16 bits=16}'

// NAME:      error[LEG084]: unknown approximation of rates
// NAME-NEXT:   at: approximate
// NAME-NEXT:   expected: leak, response, delay
// NAME-NEXT:   found: leaks
// NAME-NEXT:   help: nopt {{.*}}approximated.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=16 approximate=leak}'

// TWICE:      error[LEG091]: the network computes frames already
// TWICE-NEXT:   at: ntensor.network @approximated
// TWICE-NEXT:   expected: a network in ticks
// TWICE-NEXT:   found: 16 ticks
// TWICE-NEXT:   help: convert once, with the window of the whole frame

// A loop: the population reads its own earlier spikes.
// CHECK:      error[LEG085]: a layer depends on its own output
// CHECK-NEXT:   at: ntensor.neuron "if"
// CHECK-NEXT:   expected: a network without loops: a layer keeps nothing of earlier frames
// CHECK-NEXT:   found: ntensor.sum -> ntensor.neuron "if" -> ntensor.linear "rec" -> ntensor.delay "rec.delay" -> ntensor.sum
// CHECK-NEXT:   help: nopt {{.*}}ntensor_encode_rates-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value}'
nir.graph @loop("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %s = nir.sum %in, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.if "if" %s {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %r = nir.linear "rec" %z {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %z : tensor<1xi1>
}

// -----

// Weights that learn.
// CHECK:      error[LEG087]: a layer has no weights that learn
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: weights that stay
// CHECK-NEXT:   found: nir.stdp
// CHECK-NEXT:   help: nopt {{.*}}ntensor_encode_rates-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-freeze-plasticity,ntensor-encode-rates{window=16}'
nir.graph @learning("in" %in: tensor<1xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1xi1> -> tensor<1xf32>
  %z = nir.if "if" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// A population between two synapse ops emits values.
// CHECK:      error[LEG088]: a population has no form as a layer
// CHECK-NEXT:   at: ntensor.neuron "li"
// CHECK-NEXT:   expected: spikes between two layers
// CHECK-NEXT:   found: values, which ntensor.linear "fc" reads
// CHECK-NEXT:   help: a device that computes every tick; the list of nopt targets --matrix has them
nir.graph @values("in" %in: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %v = nir.li "li" %in {tau = #nopt.array<[0.016] : tensor<1xf32>>, r = #nopt.array<[16.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %a = nir.linear "fc" %v {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %a : tensor<1xf32>
}

// -----

// A bias of an output is multiplied, that of a population moves into its threshold.
// CHECK:      error[LEG092]: a bias reaches an output and a population
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: readers of one kind
// CHECK-NEXT:   found: an output and a population
// CHECK-NEXT:   help: a synapse op of its own for the output
nir.graph @both("in" %in: tensor<1xf32>) -> ("a": tensor<1xf32>, "b": tensor<1xi1>) {
  %a = nir.affine "fc" %in {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, bias = #nopt.array<[1.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "if" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %a, %z : tensor<1xf32>, tensor<1xi1>
}

// -----

// A population without canonical values.
// CHECK:      error[LEG082]: the response of a population to its input is not known
// CHECK-NEXT:   at: ntensor.neuron "u"
// CHECK-NEXT:   expected: canonical threshold and gain
// CHECK-NEXT:   found: no threshold
// CHECK-NEXT:   help: add to its neuron, for example: canonical decay = 1, gain = r, leak = 0, threshold = v_threshold
ntensor.update @u <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @unknown("in" %x: tensor<1xf64>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "u" @u(%x) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Integers are converted to layers before they are integers.
// CHECK:      error[LEG088]: a population has no form as a layer
// CHECK-NEXT:   at: ntensor.neuron "u"
// CHECK-NEXT:   expected: one input of reals
// CHECK-NEXT:   found: i16
// CHECK-NEXT:   help: convert to rates first, and to integers after it
ntensor.update @u <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @integers("in" %x: tensor<1xi16>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "u" @u(%x) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
