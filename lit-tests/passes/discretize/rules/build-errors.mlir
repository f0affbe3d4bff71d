// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/inputs/two_inputs.neuron" precision=f32}' 2>&1 | filecheck %s
// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/inputs/capacity.neuron" precision=f32}' 2>&1 | filecheck %s --check-prefix=MISSING

// Delays of single synapses.
// CHECK:      error[DIS001]: delays of a synapse cannot be discretised yet
// CHECK-NEXT:   at: nir.linear "w"
// CHECK-NEXT:   expected: a synapse without delays
// CHECK-NEXT:   found: delays = #nopt.array<{{.*}} : tensor<1x1xf32>>
// CHECK-NEXT:   help: remove delays from the node
nir.graph @delays("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.linear "w" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, delays = #nopt.array<[[0.001]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// Weights that learn.
// CHECK:      error[DIS001]: plasticity of a synapse cannot be discretised yet
// CHECK-NEXT:   at: nir.linear "w"
// CHECK-NEXT:   expected: a synapse without plasticity
// CHECK-NEXT:   found: plasticity = #nir.stdp<{{.*}}>
// CHECK-NEXT:   help: remove plasticity from the node
nir.graph @learning("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.linear "w" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// Rates in the place of spikes.
// CHECK:      error[DIS001]: transmission of a synapse cannot be discretised yet
// CHECK-NEXT:   at: nir.linear "w"
// CHECK-NEXT:   expected: transmission = spike
// CHECK-NEXT:   found: transmission = #nir.transmission<rate>
// CHECK-NEXT:   help: remove transmission from the node
nir.graph @rate("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.linear "w" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, transmission = #nir.transmission<rate>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// A neuron with two inputs for a node with one, or one that needs a capacity that NIR does not know.
// CHECK:      error[DIS003]: @two.f32 has 2 inputs
// CHECK-NEXT:   at: nir.if "cell"
// CHECK-NEXT:   expected: 1 input, the sum of what arrives at the node
// CHECK-NEXT:   found: a, b
// CHECK-NEXT:   help: declare one input in the file
// MISSING:      error[DIS002]: @capacity.f32 needs a parameter that the node does not have
// MISSING-NEXT:   at: nir.if "cell"
// MISSING-NEXT:   expected: parameters among r, v_threshold, v_reset
// MISSING-NEXT:   found: c
// MISSING-NEXT:   help: give it a value in the file, for example: param c = 1
nir.graph @cell("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %z = nir.if "cell" %x {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// A weight that is infinite in f32.
// CHECK:      error[DIS004]: a parameter is beyond f32
// CHECK-NEXT:   at: "w"
// CHECK-NEXT:   expected: at most 3.40282e+38 in size
// CHECK-NEXT:   found: -1e+39
// CHECK-NEXT:   help: precision=f64
nir.graph @large("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.linear "w" %x {weight = #nopt.array<[[-1.0e+39]] : tensor<1x1xf64>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}
