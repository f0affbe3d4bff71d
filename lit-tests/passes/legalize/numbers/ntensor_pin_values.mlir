// RUN: nopt %S/../inputs/pinned.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=population scale=power-of-two},ntensor-set-neuron-model{to="%S/../inputs/pinned.neuron" neuron=starting approximate=dynamics,initial,reset,threshold}' -o %t.starting.mlir
// RUN: nopt %S/../inputs/pinned.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=population scale=power-of-two},ntensor-set-neuron-model{to="%S/../inputs/pinned.neuron" neuron=curved approximate=dynamics,threshold}' -o %t.curved.mlir
// RUN: nopt %S/../inputs/pinned.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=6 per=population scale=power-of-two},ntensor-set-neuron-model{to="%S/../inputs/pinned.neuron" neuron=each_term approximate=dynamics}' -o %t.terms.mlir

// The unit is 2^-7: 0.5 is 64, 1/32 is 4, thresholds of 1 and 2 are 128, clipped to 127. All neurons get th = 100, and their threshold is 100 / 128.
// The state before the first tick is -th, as before. Weights of 0 are not synapses. Names contain dots: "0.small" is a node, "0" another one.
// Differences: 64 - 10, 32 + 10, 32 - 10, 64 - 10 twice; 4 - -3; 127 - 100 twice: largest 54, mean (54 + 42 + 22 + 54 + 54 + 7 + 27 + 27) / 8.
// RUN: nopt %t.starting.mlir -p 'ntensor-pin-values{values="lif1.if.th=100,0.weight=10, 0.small.weight=-3"}' | filecheck %s --check-prefix=PINNED
// PINNED: #ntensor.approximation<"ntensor-pin-values{values=\22lif1.if.th=100,0.weight=10, 0.small.weight=-3\22}", "integers pinned: 0.weight=10 instead of -32 to 64; 0.small.weight=-3 instead of 4; lif1.if.th=100 instead of 127; new canonical values of lif1.if: threshold", ["0", "0.small", "lif1.if"], 5.400000e+01 : f64, 3.587500e+01 : f64, "1">
// PINNED: ntensor.linear "0"
// PINNED-SAME{LITERAL}: [[10, 10, 0, 0], [10, 0, 10, 10]] : tensor<2x4xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.0078125 : tensor<f64>>>
// PINNED: ntensor.linear "0.small"
// PINNED-SAME{LITERAL}: [[0, 0, -3, 0], [0, 0, 0, 0]] : tensor<2x4xi8>>
// PINNED: ntensor.neuron "lif1.if" @starting
// PINNED-SAME: threshold = #nopt.array<0.78125 : tensor<f64>>
// PINNED-SAME: params = {th = #nopt.array<100 : tensor<i64>>}, initial = {v = #nopt.array<-100 : tensor<i64>>}

// Pins may also be listed one by one. One that changes nothing is not recorded.
// RUN: nopt %t.starting.mlir -p 'ntensor-pin-values{values="lif1.if.th=127","0.small.weight=+4"}' | filecheck %s --check-prefix=SAME
// SAME-NOT: ntensor-pin-values

// A threshold that is not proportional to the unit cannot be computed again. It is kept, and the record lists it.
// Two and three weights of 80 are sums up to 240. The population takes 9 bits, so the sum has 9; another reader would get 16.
// RUN: nopt %t.curved.mlir -p 'ntensor-pin-values{values="lif1.if.th=5,0.weight=80"}' | filecheck %s --check-prefix=CURVED
// CURVED: 0.weight=80 instead of -32 to 64; lif1.if.th=5 instead of 127; old canonical values of lif1.if: threshold"
// CURVED: ntensor.linear "0" {{.*}} -> tensor<2xi9>
// CURVED: ntensor.sum {{.*}} -> tensor<2xi9>
// CURVED: threshold = #nopt.array<{{0.992[0-9]+}} : tensor<f64>>

// Terms that are added one by one: 1 / 32 is 1, of 2 bits; 12 is one of 5 bits. The population takes 6.
// RUN: nopt %t.terms.mlir -p 'ntensor-pin-values{values="0.small.weight=12"}' | filecheck %s --check-prefix=TERMS
// TERMS: ntensor.linear "0.small" {{.*}} -> tensor<2x!ntensor.terms<5>>
// TERMS: ntensor.sum {{.*}} -> tensor<2x!ntensor.terms<{{[56]}}>>

// Quantized weights of a sum of reals are pinned, too: a scale op by `scale`, a convolution, single synapses. The integer is that without the zero
// point: 5 with the zero point -2 is stored as 3. A name may contain commas and equality signs.
// RUN: nopt %s -p 'ntensor-pin-values{values="gain.scale=-7,conv.weight=2,a=1,b.weight=5"}' | filecheck %s --check-prefix=REALS
// REALS: ntensor.scale "gain" %{{.*}} {scale = #nopt.array<[-7, 0, -7] : tensor<3xi8>>
// REALS: ntensor.conv1d "conv" %{{.*}} {weight = #nopt.array<
// REALS-SAME{LITERAL}: [[[2, 2]]] : tensor<1x1x2xi8>>
// REALS: ntensor.sparse_linear "a=1,b" %{{.*}} {weight = #nopt.array<[3, -2] : tensor<2xi8>>
// REALS-SAME: quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>, #nopt.array<-2 : tensor<i8>>>
ntensor.network @net("input" %x: tensor<3xf64>) -> ("output": tensor<2xf64>, "other": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.scale "gain" %x {scale = #nopt.array<[-6, 0, 1] : tensor<3xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<3xf64> -> tensor<3xf64>
  %r = ntensor.reshape "flat" %a : tensor<3xf64> -> tensor<1x3xf64>
  %c = ntensor.conv1d "conv" %r {weight = #nopt.array<[[[1, -1]]] : tensor<1x1x2xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<1x3xf64> -> tensor<1x2xf64>
  %y = ntensor.reshape "out" %c : tensor<1x2xf64> -> tensor<2xf64>
  %s = ntensor.sparse_linear "a=1,b" %x {weight = #nopt.array<[1, -2] : tensor<2xi8>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>, #nopt.array<-2 : tensor<i8>>>} : tensor<3xf64> -> tensor<1xf64>
  ntensor.output %y, %s : tensor<2xf64>, tensor<1xf64>
}
