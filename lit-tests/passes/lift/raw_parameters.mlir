// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-decay{bits=4},convert-ntensor-to-nir' | filecheck %s
// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},convert-ntensor-to-nir' | filecheck %s --check-prefix=EXACT

// dt / tau = 0.05, so the decay 0.95 becomes 15 / 16, dt / tau = 1 / 16, tau = 16 ms; 0.1 becomes 2 / 16, tau = 8 ms. A parameter that norse does not
// derive is unchanged; a parameter with entries for each neuron keeps them.
// CHECK: nir.lif "lif" %input {tau = #nopt.array<[0.016, 0.008] : tensor<2xf64>>, r = #nopt.array<3.0 : tensor<f64>>, v_leak = #nopt.array<0.0 : tensor<f64>>, v_threshold = #nopt.array<[1.0, 2.0] : tensor<2xf64>>, v_reset = #nopt.array<0.0 : tensor<f64>>}

// Two numbers of one parameter, exp(-dt / tau) and dt / tau r: tau is one of the few floats for the first, then r follows from the
// second. A reset by subtraction does not read v_reset, which gets a default.
// EXACT: nir.lif "lif" %input {tau = #nopt.array<[0.02, 0.01] : tensor<2xf32>>, r = #nopt.array<3.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_reset = #nopt.array<0.0 : tensor<f32>>}
nir.graph @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %z = nir.lif "lif" %x {tau = #nopt.array<[0.02, 0.01] : tensor<2xf32>>, r = #nopt.array<3.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
