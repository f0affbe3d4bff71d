// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/inputs/bounded.neuron"}' 2>&1 | filecheck %s

// Parameters outside the bounds that the neuron declares, including raw ones that only derived ones use; both are reported with the node.
// CHECK:      {{.*}}inputs/bounded.neuron:2:7: error[NEU006]: parameter tau is out of its bounds
// CHECK-NEXT:   at: "lif 1"
// CHECK-NEXT:   expected: tau in 0.001..0.02
// CHECK-NEXT:   found: 0.029999999329447746
// CHECK-NEXT:   note: line 2
// CHECK-NEXT:     param tau [s] in 0.001..0.02, r, v_threshold in 0.5..2
// CHECK-NEXT:           ^
// CHECK:      {{.*}}inputs/bounded.neuron:2:34: error[NEU006]: parameter v_threshold is out of its bounds
// CHECK-NEXT:   at: "lif 1"
// CHECK-NEXT:   expected: v_threshold in 0.5..2
// CHECK-NEXT:   found: 0.25
// CHECK-NEXT:   note: line 2
// CHECK-NEXT:     param tau [s] in 0.001..0.02, r, v_threshold in 0.5..2
// CHECK-NEXT:                                      ^
nir.graph @bounds("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %z = nir.lif "lif 1" %x {tau = #nopt.array<[0.01, 0.03] : tensor<2xf32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<0.25 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}

// -----

// A derived parameter that is not a number: the logarithm of a negative one.
// CHECK:      error[SIM004]: derived parameter share is not a number
// CHECK-NEXT:   at: ntensor.update @bounded, for "lif 1"
// CHECK-NEXT:   found: nan
nir.graph @nan("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %z = nir.lif "lif 1" %x {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<-1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
