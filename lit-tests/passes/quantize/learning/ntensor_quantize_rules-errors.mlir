// RUN: rm -rf %t && mkdir %t && cp %S/inputs/rules.synapse %t && cp %s %t/net.mlir && cd %t
// RUN: exits 1 nopt net.mlir -p 'nir-set-plasticity{nodes=fc rule=rules.synapse entries="w_min=0,w_max=1,kind=divides"},convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8 per=population},ntensor-quantize-rules{device=c/int8}' 2>&1 | filecheck %s --check-prefix=DIVIDES
// RUN: exits 1 nopt net.mlir -p 'nir-set-plasticity{nodes=fc rule=rules.synapse entries="w_min=0,w_max=1"},convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8 per=population},ntensor-quantize-rules{device=c/int8}' 2>&1 | filecheck %s --check-prefix=GROWS
// RUN: nopt net.mlir -p 'nir-set-plasticity{nodes=fc rule=stdp entries="a_plus=0.01,a_minus=0.012,tau_plus=0.02,tau_minus=0.02,w_min=0,w_max=1"}' -o stdp.mlir
// RUN: exits 1 nopt stdp.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-rules{device=c/int8}' 2>&1 | filecheck %s --check-prefix=REALS
// RUN: exits 1 nopt stdp.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8 per=population},ntensor-quantize-rules{device=asic/mesh}' 2>&1 | filecheck %s --check-prefix=DEVICE

// The line of the file is shown; the device has no quotient whose divisor changes.
// DIVIDES:      rules.synapse:12:14: error[ANA050]: a learning rule has no form in integers
// DIVIDES-NEXT:   at: ntensor.linear "fc"
// DIVIDES-NEXT:   expected: sums, products, extrema and comparisons of traces, and quotients by parameters
// DIVIDES-NEXT:   found: a quotient whose divisor changes
// DIVIDES-NEXT:   help: nopt net.mlir -p '{{.*}},ntensor-freeze-plasticity{{.*}}'
// DIVIDES-NEXT:   note: line 12
// DIVIDES-NEXT:     w = w + 0.01 / max(c, 1)

// A state that only grows has no range.
// GROWS:      rules.synapse:8:7: error[QUA070]: a state of a learning rule has no bounds
// GROWS-NEXT:   at: ntensor.linear "fc"
// GROWS-NEXT:   expected: states that decay, or a clip
// GROWS-NEXT:   found: c, which grows without a bound
// GROWS-NEXT:   help: c = clip(c, -1, 1), after it changes
// GROWS-NEXT:   note: line 8
// GROWS-NEXT:     c = c + 1

// Weights have to be quantized before.
// REALS:      error[QUA072]: a synapse that learns has no integers with one scale
// REALS:        expected: weights that are integers times a scale
// REALS-NEXT:   found: f64
// REALS-NEXT:   help: nopt stdp.mlir -p '{{.*}}ntensor-quantize-weights{bits=8 per=population}{{.*}}'

// DEVICE:      error[QUA071]: asic/mesh has no learning rules of integers
// DEVICE:        expected: plasticity.NAME with the rule integers
// DEVICE-NEXT:   found: pairs (stdp)
// DEVICE-NEXT:   help: {{.*}}ntensor-freeze-plasticity{nodes=fc}
nir.graph @net("in" %x: tensor<3xi1>, "dopamine" %d: tensor<1xf32>) -> ("out": tensor<2xi1>) {
  %0 = nir.linear "fc" %x {weight = #nopt.array<[[0.5, 0.2, 0.1], [0.4, 0.3, 0.9]] : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %1 = nir.lif "lif" %0 {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<20.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %1 : tensor<2xi1>
}
