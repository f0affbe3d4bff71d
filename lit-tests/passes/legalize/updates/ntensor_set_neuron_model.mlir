// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=each_lif nodes=last approximate=dynamics}' | filecheck %s --check-prefix=EACH
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=counting_lif approximate=count,comparison,reset accumulator=12}' | filecheck %s --check-prefix=COUNT
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to=euler options="reset=value"}' | filecheck %s --check-prefix=SAME
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=real_pair nodes=lif approximate=dynamics}' | filecheck %s --check-prefix=PAIR
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=tight_lif nodes=lif approximate=dynamics}' | filecheck %s --check-prefix=TIGHT

// Integers: k = 1e-3 / 4e-3 = 0.25, gain = k r = 1. Row scales are 3 / 3 = 1 and 1.5 / 3 = 0.5, which is the unit of each neuron. "rec" adds to
// the same neurons, so it shares their scales. decay = 0.75 is 192 / 256; the threshold 2.25 becomes 2.25 / 1 = 2 and 2.25 / 0.5 = 4.5, rounded
// to the even 4: both mean 2, which is off by 0.25; over three neurons with 0.25, 0.25, 0 the mean is 0.167, over both names 0.0833.
// Worst cases, for example of "fc": 3 + 2 = 5 and -1, so i8 holds all sums.
// CHECK-NOT:   @norse_lif
// CHECK-LABEL: ntensor.update @fixed_lif <spike>
// CHECK-LABEL: ntensor.network @net
// CHECK-SAME:    fixed.neuron\22}", "@norse_lif.value becomes @fixed_lif: decay exact; threshold differs by at most 0.25, 0.167 on average; the rule is the same; not compared: leak", ["lif", "last"], 2.500000e-01 : f64, 0.08333333333333332{{[0-9]}} : f64, "canonical values">]
// CHECK-NEXT{LITERAL}: %fc = ntensor.linear "fc" %in {weight = #nopt.array<[[3, -1], [1, 3]] : tensor<2x2xi8>>, bias = #nopt.array<[2, -1] : tensor<2xi8>>, quantized = #ntensor.quantized<3, #nopt.array<[[1.0], [0.5]] : tensor<2x1xf64>>>} : tensor<2xi1> -> tensor<2xi8>
// CHECK-NEXT:    [[LATE:%\S+]] = ntensor.delay "rec.delay" %rec {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi8>
// CHECK-NEXT:    [[SUM:%\S+]] = ntensor.sum [[LATE]], %fc : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
// CHECK-NEXT:    %lif = ntensor.neuron "lif" @fixed_lif([[SUM]]) {family = "lif", canonical = {decay = #nopt.array<0.75 : tensor<f64>>, threshold = #nopt.array<2.0 : tensor<f64>>}, params = {d = #nopt.array<192 : tensor<i64>>, th = #nopt.array<[2, 4] : tensor<2xi64>>}, initial = {v = #nopt.array<0 : tensor<i64>>}} : (tensor<2xi8>) -> tensor<2xi1>
// CHECK-NEXT{LITERAL}: %rec = ntensor.linear "rec" %lif {weight = #nopt.array<[[0, -1], [1, 0]] : tensor<2x2xi8>>
// CHECK-NEXT{LITERAL}: %two = ntensor.linear "two" %lif {weight = #nopt.array<[[3, -2]] : tensor<1x2xi8>>
// CHECK-NEXT:    %last = ntensor.neuron "last" @fixed_lif(%two)

// Terms that accumulate one by one, in one population; the other is unchanged. Its second input has no synapse.
// EACH:        ntensor.update @norse_lif
// EACH:        ntensor.update @each_lif
// EACH-LABEL:  ntensor.network @net
// EACH-SAME:     "@norse_lif.value becomes @each_lif: decay, threshold exact; dynamics differs (the first spikes come at other times); not compared: leak", ["last"], 0.000000e+00 : f64, 0.000000e+00 : f64,
// EACH:          ntensor.neuron "lif" @norse_lif.value
// EACH:          %two = ntensor.linear "two" %lif {{.*}} : tensor<2xi1> -> tensor<1x!ntensor.terms<3>>
// EACH-NEXT:     [[NONE:%\S+]] = ntensor.sparse_linear "last.b" %lif {weight = #nopt.array<"0x" : tensor<0xi8>>
// EACH-NEXT:     ntensor.neuron "last" @each_lif(%two, [[NONE]]) {{.*}} : (tensor<1x!ntensor.terms<3>>, tensor<1x!ntensor.terms<2>>) -> tensor<1xi1>

// Counts: their readers and the output get their type. 12 bits hold (3 + 1) * 3 + 2.
// COUNT-LABEL: ntensor.network @net("in" %in: tensor<2xi1>) -> ("out": tensor<1x!ntensor.count<2>>)
// COUNT-SAME:    count differs (at most 1 in a tick, at most 3); comparison differs (v > threshold, v >= threshold); reset differs (the membrane after a spike differs); not compared: leak, spike as count
// COUNT:         ntensor.linear "fc" %in {{.*}} : tensor<2xi1> -> tensor<2xi12>
// COUNT:         ntensor.linear "rec" %lif {{.*}} : tensor<2x!ntensor.count<2>> -> tensor<2xi12>
// COUNT:         ntensor.output %last : tensor<1x!ntensor.count<2>>

// Norse's rule is forward Euler's: nothing changes, nothing is recorded.
// SAME:        ntensor.update @norse_lif.value
// SAME-NOT:    ntensor-set-neuron-model
// SAME:        ntensor.neuron "lif" @norse_lif.value

// A second real input reads the signal of the current tick, not the delayed one.
// PAIR-LABEL:  ntensor.network @net
// PAIR:          ntensor.sparse_linear "lif.y" %in {weight = #nopt.array<"0x" : tensor<0xf32>>

// An input of six bits that neither wraps nor saturates: the worst case, -2 to 6, needs four, so the sum and its operands have no more.
// TIGHT-LABEL: ntensor.network @net
// TIGHT:         ntensor.sum {{.*}} : (tensor<2xi4>, tensor<2xi4>) -> tensor<2xi4>
nir.graph @net("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.affine "fc" %x {weight = #nopt.array<[[3.0, -1.0], [0.5, 1.5]] : tensor<2x2xf32>>, bias = #nopt.array<[2.0, -0.5] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %s = nir.sum %a, %r : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.25 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %r = nir.linear "rec" %z {weight = #nopt.array<[[0.0, -1.0], [0.5, 0.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %b = nir.linear "two" %z {weight = #nopt.array<[[3.0, -2.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %y = nir.lif "last" %b {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %y : tensor<1xi1>
}
