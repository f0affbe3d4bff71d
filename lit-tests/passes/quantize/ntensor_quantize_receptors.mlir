// RUN: nopt %s --split-input-file -p ntensor-quantize-receptors | filecheck %s
// RUN: nopt %s --split-input-file -p ntensor-quantize-receptors,ntensor-quantize-receptors | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-receptors{shift=0}' | filecheck %s --check-prefix=NONE

// Three excitatory synapses of at most 1: W = 3 < 2^2. Inhibitory W = 0.25 < 2^-1. The larger shift is 6, so weights of the chip are those here
// times 2^4, and the other shift is 6 - 1 - 2 = 3. Least bits: 2^(6 - 15 - 4) = 2^-13, and 2^(3 - 15 - 4) = 2^-16.
// With a shift of 0, weights of the chip are those here times 2^-2, and both least bits are 2^(-15 + 2) = 2^-13: no shift is negative.
// CHECK-LABEL: ntensor.network @signs
// CHECK-NOT:   ntensor-quantize-receptors
// CHECK:       ntensor.linear "fc" %{{.*}} {weight = #nopt.array<{{\[}}[4096, -16384, 0], [6144, 2048, 8192]] : tensor<2x3xi16>>, quantized = #ntensor.quantized<16, #nopt.array<{{\[}}[0.0001220703125, 1.52587890625e-05, 0.0001220703125], [0.0001220703125, 0.0001220703125, 0.0001220703125]] : tensor<2x3xf64>>>}
// NONE-LABEL:  ntensor.network @signs
// NONE:        [4096, -2048, 0]
// NONE-SAME:   #ntensor.quantized<16, #nopt.array<0.0001220703125 : tensor<f64>>>
ntensor.update @lif <spike> inputs ["x"] states [] params [] raw [] canonical [] records [] derive {
^bb0(%dt: f64):
  ntensor.derived
} initial {
  ntensor.initial
} step {
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
ntensor.update @lif <spike> inputs ["x"] states [] params [] raw [] canonical [] records [] derive {
^bb0(%dt: f64):
  ntensor.derived
} initial {
  ntensor.initial
} step {
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
ntensor.update @lif <spike> inputs ["x"] states [] params [] raw [] canonical [] records [] derive {
^bb0(%dt: f64):
  ntensor.derived
} initial {
  ntensor.initial
} step {
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
