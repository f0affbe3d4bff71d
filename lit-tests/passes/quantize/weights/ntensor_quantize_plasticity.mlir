// RUN: nopt %s --split-input-file -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch},ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch},ntensor-quantize-weights{bits=8 per=neuron}' 2>/dev/null | filecheck %s --check-prefix=KEPT

// Weights of both signs learn from -128 to 127 steps, so a step is 2 / 255 = 0.00784314, and the bounds move by half of it. A unit of the
// register is half a step. With the impulse 16 the coefficient of a_plus is 0.01 / 16 / 0.00392157 = 0.159375, near to 5 * 2^-5 = 0.15625, which is 0.00980392;
// that of a_minus is 0.19125, near to 3 * 2^-4 = 0.1875, which is 0.0117647. 0.5 is 63.75 steps, and 1.0 is 127.5, beyond 127.
// CHECK-LABEL: ntensor.network @mixed
// CHECK-SAME:    approximations = [#ntensor.approximation<"ntensor-quantize-plasticity{device=\22loihi2/oheo_gulch\22}", "learning rules: weights of 8 bits, constants with mantissas of 4 bits, bounds at the ends of a register; pairs count from the ticks in which spikes are sent", ["fc"], 0.0039215686{{[0-9]*}} : f64, {{.*}} : f64, "1">]}
// CHECK:         ntensor.linear "fc" %x {weight = #nopt.array<{{\[}}[64, -32], [0, 127]] : tensor<2x2xi8>>, plasticity = #nir.stdp<0.00980392{{[0-9]*}} : f64, 0.0117647{{[0-9]*}} : f64, 2.000000e-02 : f64, 3.000000e-02 : f64, -1.003921{{[0-9]*}} : f64, 0.996078{{[0-9]*}} : f64>, quantized = #ntensor.quantized<8, #nopt.array<0.00784313{{[0-9]*}} : tensor<f64>>>} : tensor<2xi1> -> tensor<2xf64>
ntensor.network @mixed("in" %x: tensor<2xi1>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25], [0.0, 1.0]] : tensor<2x2xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.03, -1.0, 1.0>} : tensor<2xi1> -> tensor<2xf64>
  ntensor.output %y : tensor<2xf64>
}

// -----

// Weights of one sign learn from 0 to 255 units of the register, which are 127.5 steps: both bounds stay. 1 / 127.5 = 0.00784314.
// CHECK-LABEL: ntensor.network @excitatory
// CHECK:         ntensor.linear "fc" %x {weight = #nopt.array<{{\[}}[64, 32]] : tensor<1x2xi8>>, plasticity = #nir.stdp<{{.*}}, 0.000000e+00 : f64, 1.000000e+00 : f64>, quantized = #ntensor.quantized<8, #nopt.array<0.00784313{{[0-9]*}} : tensor<f64>>>}
ntensor.network @excitatory("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, 0.25]] : tensor<1x2xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.03, 0.0, 1.0>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// Synapses that are added share the step, also those that do not learn. Others are unchanged.
// CHECK-LABEL: ntensor.network @shared
// CHECK:         ntensor.linear "fc" %x {weight = #nopt.array<{{\[}}[102]] : tensor<1x1xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.00784313
// CHECK:         ntensor.linear "learns" %x {weight = #nopt.array<{{\[}}[-64]] : tensor<1x1xi8>>, plasticity
// CHECK:         ntensor.linear "other" %x {weight = #nopt.array<{{\[}}[0.3]] : tensor<1x1xf64>>}
// A later quantization of all weights keeps the step.
// KEPT-LABEL: ntensor.network @shared
// KEPT:         ntensor.linear "fc" %x {weight = #nopt.array<{{\[}}[102]] : tensor<1x1xi8>>, quantized = #ntensor.quantized<8, #nopt.array<{{.*}}0.00784313
// KEPT:         ntensor.linear "learns" %x {weight = #nopt.array<{{\[}}[-64]] : tensor<1x1xi8>>, plasticity
ntensor.network @shared("in" %x: tensor<1xi1>) -> ("out": tensor<1xf64>, "two": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[0.8]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %b = ntensor.linear "learns" %x {weight = #nopt.array<[[-0.5]] : tensor<1x1xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.03, -1.0, 1.0>} : tensor<1xi1> -> tensor<1xf64>
  %s = ntensor.sum %a, %b : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %c = ntensor.linear "other" %x {weight = #nopt.array<[[0.3]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  ntensor.output %s, %c : tensor<1xf64>, tensor<1xf64>
}

// -----

// Weights whose bounds are within half a step of the ends stay; here both are exact, and nothing is recorded: 0.25 = 16 * 2^-6 units of the register.
// CHECK-LABEL: ntensor.network @exact
// CHECK-NOT:     approximations
// CHECK:         ntensor.linear "fc" %x {weight = #nopt.array<{{\[}}[3]] : tensor<1x1xi8>>, plasticity = #nir.stdp<2.500000e-01 : f64, 5.000000e-01 : f64, 2.000000e-02 : f64, 3.000000e-02 : f64, -1.280000e+02 : f64, 1.270000e+02 : f64>, quantized = #ntensor.quantized<8, #nopt.array<1.0 : tensor<f64>>>}
ntensor.network @exact("in" %x: tensor<1xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[3]] : tensor<1x1xi8>>, plasticity = #nir.stdp<0.25, 0.5, 0.02, 0.03, -128.0, 127.0>, quantized = #ntensor.quantized<8, #nopt.array<1.0 : tensor<f64>>>} : tensor<1xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// Weights of integers keep their step of 1.
// CHECK-LABEL: ntensor.network @integers
// CHECK:         ntensor.linear "fc" %x {weight = #nopt.array<{{\[}}[3]] : tensor<1x1xi8>>, plasticity = #nir.stdp<2.500000e-01 : f64, 5.000000e-01 : f64, 2.000000e-02 : f64, 3.000000e-02 : f64, -1.280000e+02 : f64, 1.270000e+02 : f64>} : tensor<1xi1> -> tensor<1xi16>
ntensor.network @integers("in" %x: tensor<1xi1>) -> ("out": tensor<1xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[3]] : tensor<1x1xi8>>, plasticity = #nir.stdp<0.26, 0.5, 0.02, 0.03, -127.5, 127.0>} : tensor<1xi1> -> tensor<1xi16>
  ntensor.output %y : tensor<1xi16>
}
