// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/inputs/two_inputs.neuron" precision=f32}' 2>&1 | filecheck %s
// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/inputs/capacity.neuron" precision=f32}' 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/inputs/each.neuron" precision=f32}' 2>&1 | filecheck %s --check-prefix=EACH
// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/inputs/integers.neuron" precision=f32}' 2>&1 | filecheck %s --check-prefix=WHOLE
// RUN: nopt %S/inputs/driven.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8},ntensor-set-neuron-model{to="%S/inputs/each.neuron"}' 2>&1 | filecheck %s --check-prefix=AFTER

// Delays of the weights of a scale, which has no synapses of its own.
// CHECK:      error[ANA006]: nir.scale has no delays in ticks
// CHECK-NEXT:   at: nir.scale "w"
// CHECK-NEXT:   expected: a synapse without delays
// CHECK-NEXT:   found: delays = #nopt.array<{{.*}} : tensor<1xf32>>
// CHECK-NEXT:   help: remove delays from the node
nir.graph @delays("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.scale "w" %x {scale = #nopt.array<[1.0] : tensor<1xf32>>, delays = #nopt.array<[0.001] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// Weights that learn, and are shared by many positions.
// CHECK:      error[ANA006]: nir.conv1d has no plasticity in ticks
// CHECK-NEXT:   at: nir.conv1d "w"
// CHECK-NEXT:   expected: a synapse without plasticity
// CHECK-NEXT:   found: plasticity = #nir.stdp<{{.*}}>
// CHECK-NEXT:   help: remove plasticity from the node
nir.graph @learning("in" %x: tensor<1x4xf32>) -> ("out": tensor<1x3xf32>) {
  %z = nir.conv1d "w" %x {weight = #nopt.array<[[[1.0, 2.0]]] : tensor<1x1x2xf32>>, bias = #nopt.array<0.25 : tensor<f32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1x4xf32> -> tensor<1x3xf32>
  nir.output %z : tensor<1x3xf32>
}

// -----

// Rates of a network input of values, of which no spikes can be counted.
// CHECK:      error[ANA007]: a synapse reads rates of a signal without spikes
// CHECK-NEXT:   at: nir.linear "w"
// CHECK-NEXT:   expected: spikes (i1)
// CHECK-NEXT:   found: values (f32)
// CHECK-NEXT:   help: nopt {{.*}}nodes-errors.mlir --split-input-file -p 'nir-set-transmission{nodes=w to=analog},convert-nir-to-ntensor{dt-ns=1000000 like="{{.*}}two_inputs.neuron" precision=f32}'
// CHECK-NEXT:   note: an input of the network holds spikes if it is declared as a tensor of i1
nir.graph @rate("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.linear "w" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, transmission = #nir.transmission<rate>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// Analog values of a spiking neuron, whose output is not a value.
// CHECK:      error[ANA007]: a synapse reads analog values of a signal of spikes
// CHECK-NEXT:   at: nir.linear "w"
// CHECK-NEXT:   expected: values (f32)
// CHECK-NEXT:   found: spikes (i1), which are 0 or 1
// CHECK-NEXT:   help: nopt {{.*}}nodes-errors.mlir --split-input-file -p 'nir-set-transmission{nodes=w to=spike},convert-nir-to-ntensor{dt-ns=1000000 like="{{.*}}two_inputs.neuron" precision=f32}'
nir.graph @analog("in" %x: tensor<1xi1>) -> ("out": tensor<1xf32>) {
  %z = nir.linear "w" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, transmission = #nir.transmission<analog>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// A learning rule by the times of spikes, on a synapse that reads values.
// CHECK:      error[ANA007]: a synapse that reads analog values has no times of spikes to learn from
// CHECK-NEXT:   at: nir.linear "w"
// CHECK-NEXT:   expected: transmission = spike
// CHECK-NEXT:   found: plasticity, and transmission = analog
// CHECK-NEXT:   help: nopt {{.*}}nodes-errors.mlir --split-input-file -p 'nir-set-transmission{nodes=w to=spike},convert-nir-to-ntensor{dt-ns=1000000 like="{{.*}}two_inputs.neuron" precision=f32}'
nir.graph @times("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.linear "w" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>, transmission = #nir.transmission<analog>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// Integers are not converted silently. After the passes of the help line, they are supported.
// EACH:      error[DIS005]: @each.f32 takes integers, and nir.if gets reals
// EACH-NEXT:   at: nir.if "cell"
// EACH-NEXT:   expected: a neuron with an input of reals
// EACH-NEXT:   found: input a, which adds them event by event
// EACH-NEXT:   help: nopt {{.*}}nodes-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32}'
// WHOLE:      error[DIS005]: @integers.f32 takes integers, and nir.if gets reals
// WHOLE-NEXT:   at: nir.if "cell"
// WHOLE-NEXT:   expected: a neuron with an input of reals
// WHOLE-NEXT:   found: input a, which computes on integers
// AFTER: ntensor.neuron "cell" @each
// A neuron with two inputs for a node with one, or one that needs a capacity that NIR does not have.
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
// CHECK-NEXT:   help: nopt {{.*}}nodes-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like="{{.*}}two_inputs.neuron" precision=f64}'
nir.graph @large("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.linear "w" %x {weight = #nopt.array<[[-1.0e+39]] : tensor<1x1xf64>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}
