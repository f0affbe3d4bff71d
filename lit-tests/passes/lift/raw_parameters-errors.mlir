// RUN: exits 1 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-decay{bits=3},convert-ntensor-to-nir' 2>&1 | filecheck %s
// RUN: exits 1 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-decay{bits=12},convert-ntensor-to-nir' 2>&1 | filecheck %s --check-prefix=BETWEEN
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32},ntensor-quantize-decay{bits=12},convert-ntensor-to-nir' | filecheck %s --check-prefix=SHORT

// A decay of 0.95 becomes 1 in 3 bits, and no tau makes dt / tau 0.
// CHECK:      error[NRM008]: no parameter of NIR produces this number
// CHECK-NEXT:   at: ntensor.neuron "lif", @norse_lif.value
// CHECK-NEXT:   expected: floats for tau from which the rule derives it
// CHECK-NEXT:   found: k = 0.0
// CHECK-NEXT:   help: nopt {{.*}} -t mlir

// In 12 bits dt / tau is 205 / 4096: it lies between the values of two neighbouring floats of tau, but not in f32.
// BETWEEN:    error[NRM008]
// BETWEEN:      found: k = 0.050048828125
// SHORT:      nir.lif "lif"
nir.graph @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %z = nir.lif "lif" %x {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<3.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
