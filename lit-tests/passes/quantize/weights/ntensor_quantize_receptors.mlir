// RUN: nopt %s --split-input-file -p ntensor-quantize-receptors | filecheck %s
// RUN: nopt %s --split-input-file -p ntensor-quantize-receptors,ntensor-quantize-receptors | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-receptors{shift=0}' | filecheck %s --check-prefix=NONE
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-receptors{rate=1000}' | filecheck %s --check-prefix=FULL
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-receptors{per=neuron}' | filecheck %s --check-prefix=NEURON
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-receptors{spare-bits=2}' | filecheck %s --check-prefix=SPARE

// Three excitatory synapses of at most 1: W = 3 < 2^2. Inhibitory W = 0.25 < 2^-1. The larger shift is 6, so weights of the chip are those here
// times 2^4, and the other shift is 6 - 1 - 2 = 3. Least bits: 2^(6 - 15 - 4) = 2^-13, and 2^(3 - 15 - 4) = 2^-16.
// With a shift of 0, weights of the chip are those here times 2^-2, and both least bits are 2^(-15 + 2) = 2^-13: no shift is negative.
// CHECK-LABEL: ntensor.network @signs
// CHECK-NOT:   ntensor-quantize-receptors
// CHECK:       ntensor.linear "fc" %{{.*}} {weight = #nopt.array<{{\[}}[4096, -16384, 0], [6144, 2048, 8192]] : tensor<2x3xi16>>, quantized = #ntensor.quantized<16, #nopt.array<{{\[}}[0.0001220703125, 1.52587890625e-05, 0.0001220703125], [0.0001220703125, 0.0001220703125, 0.0001220703125]] : tensor<2x3xf64>>>}
// NONE-LABEL:  ntensor.network @signs
// NONE:        [4096, -2048, 0]
// NONE-SAME:   #ntensor.quantized<16, #nopt.array<0.0001220703125 : tensor<f64>>>
// For each neuron, the weights of the first row are doubled: its largest weight is 0.5, and that of the other row 1. W = 3 and 0.5, and both signs have the larger
// shift, so that the least bits are 2^-14 of the first row, and 2^-13 of the second.
// NEURON-LABEL: ntensor.network @signs
// NEURON:       {{\[}}[8192, -4096, 0], [6144, 2048, 8192]]
// NEURON-SAME:  #ntensor.quantized<16, #nopt.array<{{\[}}[6.103515625e-05], [0.0001220703125]] : tensor<2x1xf64>>>
ntensor.update @lif <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 1.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @signs("in" %x: tensor<3xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25, 0.0], [0.75, 0.25, 1.0]] : tensor<2x3xf64>>} : tensor<3xi1> -> tensor<2xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// A bias counts as a synapse from a source that is always active: W = 1 + 1 < 2^2. It is rounded to the grid of its sign, 0.3 to 2458 * 2^-13.
// CHECK-LABEL: ntensor.network @bias
// CHECK-SAME:  "ntensor-quantize-receptors", "weights of each sign on the grid of a ring buffer", ["fc"]
// CHECK:       bias = #nopt.array<[1.0, 0.300048828125] : tensor<2xf64>>
// The second neuron has weights of half the size: its bias is 4915 * 2^-14.
// NEURON-LABEL: ntensor.network @bias
// NEURON:       bias = #nopt.array<[1.0, 0.29998779296875] : tensor<2xf64>>
ntensor.update @lif <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 1.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @bias("in" %x: tensor<1xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0], [0.5]] : tensor<2x1xf64>>, bias = #nopt.array<[1.0, 0.3] : tensor<2xf64>>} : tensor<1xi1> -> tensor<2xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// Weights that learn count as w_max, also where they are 0: W = 3 * 1 < 2^2, so that 0.5 is 4096 * 2^-13.
// CHECK-LABEL: ntensor.network @learns
// CHECK:       weight = #nopt.array<{{\[}}[4096, 2048, 0]] : tensor<1x3xi16>>
// They keep one scale for each sign.
// NEURON-LABEL: ntensor.network @learns
// NEURON:       weight = #nopt.array<{{\[}}[4096, 2048, 0]] : tensor<1x3xi16>>
ntensor.update @lif <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 1.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @learns("in" %x: tensor<3xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, 0.25, 0.0]] : tensor<1x3xf64>>, plasticity = #nir.stdp<0.01, 0.01, 0.02, 0.02, 0.0, 1.0>} : tensor<3xi1> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Delays in front of an op spread the spikes of a tick as those after it do. 10 sources of 30 Hz send 0.3 spikes in a tick: W = 0.97 * (0.3 + 5 * 0.3^0.5) = 2.95 < 2^2,
// and 1 is 8192 * 2^-13. At 1000 Hz all of them can spike in a tick: W = 10 < 2^4, and 1 is 2048 * 2^-11.
// CHECK-LABEL: ntensor.network @late
// CHECK-SAME:  whose sums are those of 30 spikes per second
// CHECK:       weight = #nopt.array<{{\[}}[8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192, 5734]]
// FULL-LABEL:  ntensor.network @late
// FULL-SAME:   "weights of each sign on the grid of a ring buffer"
// FULL:        weight = #nopt.array<{{\[}}[2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 1434]]
ntensor.update @lif <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 1.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @late("in" %x: tensor<10xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %d = ntensor.delay "d" %x {ticks = #nopt.array<[1, 3, 1, 3, 1, 3, 1, 3, 1, 3] : tensor<10xi64>>} : tensor<10xi1>
  %y = ntensor.linear "fc" %d {weight = #nopt.array<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.7]] : tensor<1x10xf64>>} : tensor<10xi1> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// A calibration observed 0.01 spikes of each source in a tick: W = 0.97 * (0.1 + 5 * 0.1^0.5) = 1.63 < 2^1, and 1 is 16384 * 2^-14.
// CHECK-LABEL: ntensor.network @calibrated
// CHECK-SAME:  whose sums are those of the rates of the calibration
// CHECK:       weight = #nopt.array<{{\[}}[16384, 16384,
// FULL-LABEL:  ntensor.network @calibrated
// FULL:        weight = #nopt.array<{{\[}}[2048, 2048,
// SPARE-LABEL: ntensor.network @calibrated
// SPARE:       weight = #nopt.array<{{\[}}[4096, 4096,
// SPARE-SAME:  #nopt.array<0.000244140625 : tensor<f64>>
ntensor.update @lif <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 1.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @calibrated("in" %x: tensor<10xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000, ntensor.observed = {inputs = {in = {density = 0.01 : f64}}}} {
  %d = ntensor.delay "d" %x {ticks = #nopt.array<[1, 3, 1, 3, 1, 3, 1, 3, 1, 3] : tensor<10xi64>>} : tensor<10xi1>
  %y = ntensor.linear "fc" %d {weight = #nopt.array<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.7]] : tensor<1x10xf64>>} : tensor<10xi1> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Integers of one scale stay as they are if their sum fits a ring buffer: 65534 does, and 65537 does not: W = 3 * 32767 < 2^17, so the least bit becomes 4.
// CHECK-LABEL: ntensor.network @integers
// CHECK:       "fits" %{{.*}} {weight = #nopt.array<{{\[}}[32767, 32767, 0]] : tensor<1x3xi16>>
// CHECK:       "overflows" %{{.*}} {weight = #nopt.array<{{\[}}[8192, 8192, 1]] : tensor<1x3xi16>>
ntensor.update @lif <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 1.0 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @integers("in" %x: tensor<3xi1>) -> ("a": tensor<1xi1>, "b": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fits" %x {weight = #nopt.array<[[32767, 32767, 0]] : tensor<1x3xi16>>, quantized = #ntensor.quantized<16, #nopt.array<1.0 : tensor<f64>>>} : tensor<3xi1> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %y2 = ntensor.linear "overflows" %x {weight = #nopt.array<[[32766, 32767, 4]] : tensor<1x3xi16>>, quantized = #ntensor.quantized<16, #nopt.array<1.0 : tensor<f64>>>} : tensor<3xi1> -> tensor<1xf64>
  %z2 = ntensor.neuron "lif2" @lif(%y2) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z, %z2 : tensor<1xi1>, tensor<1xi1>
}
