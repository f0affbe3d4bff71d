// Each synapse selects one current, and a weight takes up to four synapses. Excitatory weights have two currents, inhibitory ones another.
// RUN: nopt %s --split-input-file -p 'ntensor-fit-weight-masks{device="dynapse/se2" set="synapse.words=4,synapse.currents=3,synapse.inhibitory_currents=1"}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-fit-weight-masks{device="dynapse/se2" set="synapse.words=4,synapse.currents=3,synapse.inhibitory_currents=1"},ntensor-fit-weight-masks{device="dynapse/se2" set="synapse.words=4,synapse.currents=3,synapse.inhibitory_currents=1"}' | filecheck %s --check-prefix=AGAIN
// RUN: nopt %s --split-input-file -p 'ntensor-fit-weight-masks{device="dynapse/se2" set="synapse.words=1,synapse.currents=3,synapse.inhibitory_currents=1"}' | filecheck %s --check-prefix=ONE

// 1.0, 0.75 and 0.25 are 4, 3 and 1 times a quarter, as -0.5 is 2 times: 255 steps each. Nothing is recorded.
// With one synapse for each weight, two excitatory currents do not suffice for three sizes.
// CHECK-LABEL: ntensor.network @exact
// CHECK-NOT:   approximations
// CHECK:       ntensor.linear "fc" %{{.+}} {weight = #nopt.array<{{\[\[}}1020, -510, 0, 765, 255]] : tensor<1x5xi16>>, quantized = #ntensor.quantized<11,
// AGAIN-LABEL: ntensor.network @exact
// AGAIN-NOT:   approximations
// AGAIN:       ntensor.linear "fc" %{{.+}} {weight = #nopt.array<{{\[\[}}1020, -510, 0, 765, 255]]
// ONE-LABEL:   ntensor.network @exact
// ONE-SAME:    "weights fitted to the sums of currents, one for each synapse, which a population shares"
// ONE:         ntensor.linear "fc" %{{.+}} {weight = #nopt.array<{{\[\[}}[[A:[0-9]+]], -{{[0-9]+}}, 0, [[A]], {{[0-9]+}}]]
ntensor.network @exact("input" %x: tensor<5xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, -0.5, 0.0, 0.75, 0.25]] : tensor<1x5xf64>>} : tensor<5xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// 22 weights share the 64 synapses of a neuron: two for each, and -0.75 is not twice the inhibitory current -0.25. 21 weights take three.
// CHECK-LABEL: ntensor.network @shared
// CHECK-SAME:  "weights fitted to the sums of currents, one for each synapse, which a population shares", ["fc"]
// CHECK:       ntensor.linear "fc" %{{.+}} {{.*}} tensor<1x22xi16>>, quantized = #ntensor.quantized<11,
// RUN: mutate 's/<22xi1>/<21xi1>/g' 's/1x22xf64/1x21xf64/' 's/, -0.25\]\]/]]/' %s | nopt - --split-input-file -p 'ntensor-fit-weight-masks{device="dynapse/se2" set="synapse.words=4,synapse.currents=3,synapse.inhibitory_currents=1"}' | filecheck %s --check-prefix=THREE
// THREE-LABEL: ntensor.network @shared
// THREE-NOT:   approximations
// THREE:       ntensor.linear "fc"
ntensor.update @if <spike> inputs ["x"] states ["v"] params ["threshold"] raw ["threshold"] derive {
^bb0(%dt: f64, %raw: f64):
  ntensor.derived %raw : f64
} initial {
^bb0(%threshold: f64):
  %c0 = arith.constant 0.0 : f64
  ntensor.initial %c0 : f64
} step {
^bb0(%x: f64, %v: f64, %threshold: f64):
  %v1 = arith.addf %v, %x : f64
  %z = arith.cmpf ogt, %v1, %threshold : f64
  ntensor.emit %z, %v1 : i1, f64
}
ntensor.network @shared("input" %x: tensor<22xi1>) -> ("output": tensor<1xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[-0.75, -0.75, -0.25, -0.75, -0.75, -0.25, -0.75, -0.75, -0.25, -0.75, -0.75, -0.25, -0.75, -0.75, -0.25, -0.75, -0.75, -0.25, -0.75, -0.75, -0.25, -0.25]] : tensor<1x22xf64>>} : tensor<22xi1> -> tensor<1xf64>
  %z = ntensor.neuron "n" @if(%a) {params = {threshold = #nopt.array<1.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
