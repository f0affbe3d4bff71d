// A population of sinabs that can emit several spikes in a tick emits one with a linear leak: the outputs and delays after it adopt its type, and the record states it.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-linearize-leak' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-linearize-leak' | nopt - -o /dev/null
// RUN: rm -rf %t && nopt compile %s --target truenorth/ns1e --dt 1ms --like sinabs -p 'ntensor-linearize-leak,ntensor-legalize{device="truenorth/ns1e" approximate=comparison}' --quiet -o %t

// CHECK:      ntensor.network @n("i" %i: tensor<2xf64>) -> ("o": tensor<2xi1>, "p": tensor<2xi1>)
// CHECK-SAME:   "exponential leaks replaced by linear ones, errors of one leak; at most 1 spike in a tick instead of 2147483647", ["lif"]
// CHECK:        [[Z:%.+]] = ntensor.neuron "lif" @linear_leak.subtract
// CHECK-SAME:     (tensor<2xf64>) -> tensor<2xi1>
// CHECK-NEXT:   [[R:%.+]] = ntensor.delay {{.*}}[[Z]] {{.*}}tensor<2xi1>
// CHECK-NEXT:   ntensor.output [[R]], [[Z]]
nir.graph @n("i" %i: tensor<2xf32>) -> ("o": tensor<2xi1>, "p": tensor<2xi1>) {
  %w = nir.linear "w" %i {weight = #nopt.array<[[1.0, 0.5], [0.5, 1.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "lif" %w {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %r = nir.delay "late" %z {delay = #nopt.array<0.002 : tensor<f32>>} : tensor<2xi1> -> tensor<2xi1>
  nir.output %r, %z : tensor<2xi1>, tensor<2xi1>
}
