// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse}' | filecheck %s --check-prefix=BEFORE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{bits=8}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{bits=8},ntensor-quantize-decay{bits=8}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{bits=8 mode=shift}' | filecheck %s --check-prefix=SHIFT
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=nengo},ntensor-quantize-decay{bits=8}' | filecheck %s --check-prefix=NENGO
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{bits=8 nodes=even,if}' | filecheck %s --check-prefix=STAYS

// Time constants of 31.25 and 12 ticks: k = 0.032 is 8.19 / 256, k = 1 / 12 is 21.3 / 256. The gain k r with r = 2, 1 follows. A value on
// the grid is unchanged ("even": 1 / 4), and so is an integrator, whose decay is always 1; a second pass changes nothing.
// The errors are 0.032 - 0.03125 = 0.00075 and 1/12 - 21/256 = 0.00130208: the mean is 0.00102604.
// BEFORE: ntensor.neuron "lif"
// BEFORE-SAME: canonical = {decay = #nopt.array<[0.968, 0.9166666666666666] : tensor<2xf64>>, gain = #nopt.array<[0.064, 0.08333333333333333] : tensor<2xf64>>
// BEFORE-SAME: k = #nopt.array<[0.032, 0.08333333333333333] : tensor<2xf64>>
// CHECK: ntensor.network @net
// CHECK-SAME: #ntensor.approximation<"ntensor-quantize-decay{bits=8}", "decays as multiples of 2^-8", ["lif"], {{0.00130208[0-9]+|1.30208[0-9]+e-03}} : f64, {{0.0010260[0-9]+|1.0260[0-9]+e-03}} : f64, "1">]}
// CHECK: ntensor.neuron "lif"
// CHECK-SAME: canonical = {decay = #nopt.array<[0.96875, 0.91796875] : tensor<2xf64>>, gain = #nopt.array<[0.0625, 0.08203125] : tensor<2xf64>>
// CHECK-SAME: k = #nopt.array<[0.03125, 0.08203125] : tensor<2xf64>>
// CHECK: ntensor.neuron "even"
// CHECK-SAME: k = #nopt.array<0.25 : tensor<f64>>
// CHECK: ntensor.neuron "if"
// CHECK-SAME: canonical = {decay = #nopt.array<1.0 : tensor<f64>>

// A shift by 5 and by 4: 1 - 1/32 and 1 - 1/16.
// SHIFT: "ntensor-quantize-decay{bits=8 mode=shift}", "decays as 1 - 2^-n with n up to 8", ["lif"]
// SHIFT: k = #nopt.array<[0.03125, 0.0625] : tensor<2xf64>>

// Nengo stores a = exp(-1 / tau) and b = 1 - a separately; both are the decay, so both change: 0.968507 is 247.9 / 256, 0.920044 is
// 235.5 / 256.
// NENGO: ntensor.neuron "lif"
// NENGO-SAME: a = #nopt.array<[0.96875, 0.921875] : tensor<2xf64>>, b = #nopt.array<[0.03125, 0.078125] : tensor<2xf64>>

// No change, no record.
// STAYS-NOT: ntensor-quantize-decay
nir.graph @net("in" %in: tensor<2xf32>) -> ("out": tensor<2xi1>, "a": tensor<2xi1>, "b": tensor<2xi1>) {
  %lif = nir.lif "lif" %in {tau = #nopt.array<[31.25, 12.0] : tensor<2xf32>>, r = #nopt.array<[2.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %even = nir.lif "even" %in {tau = #nopt.array<[4.0, 4.0] : tensor<2xf32>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %if = nir.if "if" %in {r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %lif, %even, %if : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}
