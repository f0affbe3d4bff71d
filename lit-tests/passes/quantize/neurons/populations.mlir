// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool},ntensor-quantize-decay{bits=6}' | filecheck %s --check-prefix=ROCKPOOL
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-decay{bits=6}' 2>&1 | filecheck %s --check-prefix=SINABS
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32},ntensor-quantize-decay{bits=6}' | filecheck %s --check-prefix=F32

// Two decays of one population, each separately: exp(-1/5) = 0.8187 is 52.4 / 64, exp(-1/30) = 0.9672 is 61.9 / 64. Derived parameters
// follow: gain_i = decay_i, leak = v_leak / (1 - decay) = 0.25 / (2 / 64) = 8. r is 1, not a decay, and is unchanged.
// ROCKPOOL: canonical = {decay_i = #nopt.array<0.8125 : tensor<f64>>, gain_i = #nopt.array<0.8125 : tensor<f64>>, decay = #nopt.array<0.96875 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, leak = #nopt.array<8.0 : tensor<f64>>
// ROCKPOOL-SAME: a_syn = #nopt.array<0.8125 : tensor<f64>>, a_mem = #nopt.array<0.96875 : tensor<f64>>

// A gain that is not the decay's: only a = exp(-1/30) changes, g = 1/30 r does not, also with r = 1.
// SINABS: ntensor.neuron "lif"
// SINABS-SAME: gain = #nopt.array<0.0333333{{[0-9]+}} : tensor<f64>>
// SINABS-SAME: a = #nopt.array<0.96875 : tensor<f64>>, g = #nopt.array<0.0333333{{[0-9]+}} : tensor<f64>>

// In f32 a parameter is the rounded canonical value; both types represent multiples of 2^-6.
// F32: k_syn = #nopt.array<0.203125 : tensor<f32>>, k_mem = #nopt.array<0.03125 : tensor<f32>>
nir.graph @net("in" %in: tensor<2xf32>) -> ("a": tensor<2xi1>, "b": tensor<2xi1>) {
  %a = nir.cuba_lif "cuba" %in {tau_syn = #nopt.array<[0.005, 0.005] : tensor<2xf32>>, tau_mem = #nopt.array<[0.03, 0.03] : tensor<2xf32>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.25, 0.25] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, w_in = #nopt.array<[1.0, 1.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.lif "lif" %in {tau = #nopt.array<[0.03, 0.03] : tensor<2xf32>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %a, %b : tensor<2xi1>, tensor<2xi1>
}
