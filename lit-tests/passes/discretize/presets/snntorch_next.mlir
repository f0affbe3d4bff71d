// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract_next}' -t neuron | filecheck %s
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract_next}' 2>&1 | filecheck %s --check-prefix=OTHER

// snnTorch in training: v stays above the threshold until the reset in the next tick, after every spike.
// CHECK:      neuron snntorch_lif_subtract_next
// CHECK:      state v = 0
// CHECK-NEXT: input x
// CHECK-NEXT: pending = v > v_threshold
// CHECK-NEXT: v = v + k * (v_leak - v + r * x)
// CHECK-NEXT: v = v - v_threshold if pending else v
// CHECK-NEXT: z = v > v_threshold
// CHECK-NEXT: emit spike z

// The choice exists only in this preset.
// OTHER:      error[ANA019]: option reset has no value subtract_next
nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xi1>) {
  %z = nir.lif "lif" %x {
    tau = #nopt.array<0.02 : tensor<f32>>,
    r = #nopt.array<1.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
