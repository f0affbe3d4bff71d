// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse rate-window=4}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse rate-window=4}' -t neuron | filecheck %s --check-prefix=RULE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse rate-window=4},ntensor-fold-scale' | filecheck %s --check-prefix=FOLDED
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse rate-window=4},convert-ntensor-to-nir' | filecheck %s --check-prefix=BACK
// RUN: nopt %S/../../tools/inputs/lif.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse rate-window=4}' 2>&1 | filecheck %s --check-prefix=UNREAD

// Two synapses read rates of the same population: they share a window. A count of 4 ticks is 0 to 4, which has 3 bits. The delay is read from
// the first tick of the next window, and breaks the loop. The mean is the count times 1 / 4.
// RULE:      neuron rate_window_1_3
// RULE-NEXT: param window: u3
// RULE-NEXT: state tick: u3 saturate = 0, sum: u3 saturate = 0, held: u3 = 0
// RULE-NEXT: input a: u1
// CHECK-LABEL: ntensor.network @two
// CHECK-NOT:     one tick on each of
// CHECK-SAME:    "rates: counts of 4 ticks, read in the next 4 ticks", ["rec", "read"], none, none, "none">
// CHECK-NEXT:    %w = ntensor.linear "w" %in
// CHECK-NEXT:    %cell.rate = ntensor.neuron "cell.rate" @rate_window_1_3(%cell) {params = {window = #nopt.array<4 : tensor<i64>>}, initial = {tick = #nopt.array<0 : tensor<i64>>, sum = #nopt.array<0 : tensor<i64>>, held = #nopt.array<0 : tensor<i64>>}} : (tensor<2xi1>) -> tensor<2x!ntensor.count<3>>
// CHECK-NEXT:    %cell.rate.delay = ntensor.delay "cell.rate.delay" %cell.rate {ticks = #nopt.array<1 : tensor<i64>>, part_of = "cell.rate"} : tensor<2x!ntensor.count<3>>
// CHECK-NEXT:    %cell.rate.mean = ntensor.scale "cell.rate.mean" %cell.rate.delay {scale = #nopt.array<0.25 : tensor<f64>>} : tensor<2x!ntensor.count<3>> -> tensor<2xf64>
// CHECK-NEXT{LITERAL}: %rec = ntensor.linear "rec" %cell.rate.mean {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : tensor<2xf64> -> tensor<2xf64>
// CHECK:         %cell = ntensor.neuron "cell" @norse_if.value
// CHECK:         %read = ntensor.linear "read" %cell.rate.mean
// Folded into the weights, the synapses read counts: integers.
// FOLDED{LITERAL}:  %rec = ntensor.linear "rec" %cell.rate.delay {weight = #nopt.array<[[0.25, 0.5], [0.75, 1.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : tensor<2x!ntensor.count<3>> -> tensor<2xf64>
// BACK-LABEL: nir.graph @two
// BACK-NEXT:    %w = nir.linear "w" %in
// BACK-NEXT:    %rec = nir.affine "rec" %cell {{.*}}, transmission = #nir.transmission<rate>} : tensor<2xi1> -> tensor<2xf32>
// BACK:         %read = nir.linear "read" %cell {{.*}}, transmission = #nir.transmission<rate>} : tensor<2xi1> -> tensor<1xf32>
nir.graph @two("in" %x: tensor<2xf32>) -> ("spikes": tensor<2xi1>, "out": tensor<1xf32>) {
  %a = nir.linear "w" %x {weight = #nopt.array<[[1.0, 2.0], [0.0, 4.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %b = nir.affine "rec" %z {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>, transmission = #nir.transmission<rate>} : tensor<2xi1> -> tensor<2xf32>
  %s = nir.sum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.if "cell" %s {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %r = nir.linear "read" %z {weight = #nopt.array<[[1.0, 0.5]] : tensor<1x2xf32>>, transmission = #nir.transmission<rate>} : tensor<2xi1> -> tensor<1xf32>
  nir.output %z, %r : tensor<2xi1>, tensor<1xf32>
}

// Analog values are read as they are, in the tick of their neuron. `spike` is the default: no op is added for either.
// CHECK-LABEL: ntensor.network @values
// CHECK:         %plain = ntensor.linear "plain" %in
// CHECK-NEXT:    %v = ntensor.neuron "v" @euler_i
// CHECK-NEXT:    %read = ntensor.linear "read" %v
nir.graph @values("in" %x: tensor<1xi1>) -> ("out": tensor<1xf32>) {
  %p = nir.linear "plain" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>, transmission = #nir.transmission<spike>} : tensor<1xi1> -> tensor<1xf32>
  %v = nir.i "v" %p {r = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %r = nir.linear "read" %v {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>, transmission = #nir.transmission<analog>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %r : tensor<1xf32>
}

// A window that no synapse reads changes nothing.
// UNREAD:      remark[ANA010]: no synapse reads rates
// UNREAD-NEXT:   at: nir.graph @{{.*}}
// UNREAD-NEXT:   expected: a synapse with transmission = rate
// UNREAD-NEXT:   found: a window of 4 ticks, which changes nothing
// UNREAD-NEXT:   help: nopt {{.*}}lif.mlir -p 'nir-set-transmission{nodes=NODE to=rate},convert-nir-to-ntensor{dt-ns=1000000 like=norse rate-window=4}'
