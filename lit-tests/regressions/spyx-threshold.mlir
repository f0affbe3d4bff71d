// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=spyx}' 2>/dev/null | filecheck %s

// Spyx exports a PSU_LIF as LI and Threshold. It compares v in the same call, so only the spikes of neurons are one tick late.
// CHECK-LABEL: ntensor.network @psu
// CHECK: [[A:%\S+]] = ntensor.delay "lif.delay" %lif
// CHECK: %t = ntensor.neuron "t"
// CHECK-NEXT: ntensor.output [[A]], %t
nir.graph @psu("input" %x: tensor<1xf32>) -> ("spikes": tensor<1xi1>, "output": tensor<1xi1>) {
  %a = nir.lif "lif" %x {
    tau = #nopt.array<0.02 : tensor<f32>>,
    r = #nopt.array<20.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xi1>
  %v = nir.li "li" %x {
    tau = #nopt.array<0.02 : tensor<f32>>,
    r = #nopt.array<20.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xf32>
  %z = nir.threshold "t" %v {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %a, %z : tensor<1xi1>, tensor<1xi1>
}
