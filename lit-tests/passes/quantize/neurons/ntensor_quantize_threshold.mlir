// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-weights{bits=4 per=row scale=power-of-two}' | filecheck %s --check-prefix=BEFORE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-weights{bits=4 per=row scale=power-of-two},ntensor-quantize-threshold{bits=8}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-weights{bits=4 per=row scale=power-of-two},ntensor-quantize-threshold{bits=8},ntensor-quantize-threshold{bits=8}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-threshold{bits=5 range=given low=-1 high=1}' | filecheck %s --check-prefix=GIVEN
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like="%S/../inputs/shifts.neuron"},ntensor-quantize-threshold{range=given low=-1 high=1}' | filecheck %s --check-prefix=STAYS
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like="%S/../inputs/shifts.neuron"},ntensor-quantize-decay' | filecheck %s --check-prefix=STAYS

// Weights in steps of 0.25 and 0.125, gains k r = 0.25 and 0.5: one step of the weights adds 0.0625 to v in both neurons. 1.01 is 16.2 steps,
// 0.7175 is 11.48. The errors are 0.01 and 0.03. A second pass changes nothing.
// BEFORE: quantized = #ntensor.quantized<4, #nopt.array<{{\[\[}}0.25], [0.125]] : tensor<2x1xf64>>>
// BEFORE: canonical = {decay = #nopt.array<0.75 : tensor<f64>>, gain = #nopt.array<[0.25, 0.5] : tensor<2xf64>>
// CHECK: #ntensor.approximation<"ntensor-quantize-threshold{bits=8}", "thresholds of 8 bits on a grid of the weights", ["lif"], 0.0299999{{[0-9]+}} : f64, 0.0199999{{[0-9]+}} : f64, "1">]}
// CHECK: ntensor.neuron "lif"
// CHECK-SAME: threshold = #nopt.array<[1.0, 0.6875] : tensor<2xf64>>
// CHECK-SAME: v_threshold = #nopt.array<[1.0, 0.6875] : tensor<2xf64>>

// 5 bits hold -1 .. 1 in steps of 1 / 8: -16 / 8 .. 15 / 8.
// GIVEN: "ntensor-quantize-threshold{bits=5 range=given low=-1 high=1}", "thresholds of 5 bits on a grid of the given range"
// GIVEN: v_threshold = #nopt.array<[1.0, 0.75] : tensor<2xf64>>

// Integers of the step have their own grid.
// STAYS-NOT: ntensor-quantize
nir.graph @net("in" %in: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %fc = nir.linear "fc" %in {weight = #nopt.array<[[1.5, 0.25], [0.5, 0.875]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %lif = nir.lif "lif" %fc {tau = #nopt.array<[4.0, 4.0] : tensor<2xf32>>, r = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.01, 0.7175] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %lif : tensor<2xi1>
}
