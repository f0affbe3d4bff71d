// RUN: rm -rf %t && mkdir %t && cp %s %S/inputs/early.synapse %t && cd %t
// RUN: not nopt learning-errors.mlir -p "convert-nir-to-ntensor{dt-ns=1000000 like=norse},convert-ntensor-to-c" 2>&1 | filecheck %s
// RUN: nopt learning-errors.mlir -p "convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-freeze-plasticity,convert-ntensor-to-c"

// A spike transmits before the tick has a value of the modulator.
// CHECK:      early.synapse:7:14: error[SIM032]: a rule needs spikes on both sides
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: an efficacy without modulators, whose values a spike is too early for
// CHECK-NEXT:   found: m
// CHECK-NEXT:   help: nopt learning-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-freeze-plasticity,convert-ntensor-to-c'
// CHECK-NEXT:   note: line 7
// CHECK-NEXT: efficacy = w * m
nir.graph @net("in" %x: tensor<2xi1>, "m" %m: tensor<1xf32>) -> ("out": tensor<2xi1>) {
  %0 = nir.linear "fc" %x {weight = #nopt.array<[[0.3, 0.6], [0.8, 0.5]] : tensor<2x2xf64>>, plasticity = #nir.rule<"early.synapse", {low = 0.0, high = 1.0}>} : tensor<2xi1> -> tensor<2xf32>
  %1 = nir.lif "lif" %0 {tau = #nopt.array<0.02 : tensor<f64>>, r = #nopt.array<20.0 : tensor<f64>>, v_leak = #nopt.array<0.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %1 : tensor<2xi1>
}
