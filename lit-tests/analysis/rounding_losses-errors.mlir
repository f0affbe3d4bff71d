// Every pass that rounds weights reports rows that vanish, and what determines the scale.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights' -o /dev/null 2>&1 | filecheck %s --check-prefixes=LOST,WEIGHTS
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-layers' -o /dev/null 2>&1 | filecheck %s --check-prefixes=BIAS,LOST,EXPLAIN
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-receptors' -o /dev/null 2>&1 | filecheck %s --check-prefixes=LOST,EXPLAIN
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-weight-masks' -o /dev/null 2>&1 | filecheck %s --check-prefixes=LOST,EXPLAIN
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-round-reals' -o /dev/null 2>&1 | filecheck %s --check-prefixes=BIAS,LOST,HALF
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-axon-types{types=1}' -o /dev/null 2>&1 | filecheck %s --check-prefix=TYPES
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{per=row}' -o /dev/null 2>&1 | filecheck %s --check-prefix=ROW
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-layers{threshold-bits=2}' -o /dev/null 2>&1 | filecheck %s --check-prefix=THRESHOLD

// BIAS:    warning[ANA027]: all biases become 0
// LOST:    warning[ANA028]: all weights of a row become zero
// LOST-NEXT: at: ntensor.linear "fc"
// LOST-NEXT: expected: a weight {{.*}} in each row
// LOST-NEXT: found: 1 of 2: row 1; the largest weight there is 3e-09
// WEIGHTS: help: nopt {{.*}}rounding_losses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{per=neuron}' -o {{.*}}null
// EXPLAIN: help: nopt explain ANA028
// EXPLAIN-NEXT: note: weight[0, 0] = 100 in row 0 determines the scale
// HALF:    help: nopt {{.*}}rounding_losses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-round-reals{to=bf16}' -o {{.*}}null
// HALF-NEXT: note: the smallest number of f16 is 5.96e-08
// LOST:    warning[ANA029]: most weights of a row become zero
// LOST:    found: 1 of 2: row 0; in row 0, 2 of 3, of at most 2e-09

// A scale of its own keeps row 1, and row 0 still has its strong weight.
// ROW-NOT: ANA028
// ROW:     warning[ANA029]: most weights of a row become zero
// ROW-NEXT: at: ntensor.linear "fc"
// ROW-NEXT: expected: weights of at most 16 times the size of most weights, 1.5e-09
// ROW-NEXT: found: 1 of 2: row 0; in row 0, 2 of 3, of at most 2e-09
// ROW-NEXT: help: nopt explain ANA029
// ROW-NEXT: note: weight[0, 0] = 100 in row 0 determines the scale
// ROW-NOT: ANA028

// With one type of axons, row 1 has one value, which all of its weights are near to.
// TYPES-NOT: ANA028
// TYPES:   found: 1 of 2: row 0; in row 0, 2 of 3, of at most 2e-09
// TYPES:   note: all neurons of a core share the types of its axons, and a neuron has 1 value

// A threshold of 2 bits is one step. It is reached by an input of 1 / gain = 20, so that half a step is 10.
// THRESHOLD: expected: a weight of half a step, 10, or more in each row
// THRESHOLD: note: the threshold of ntensor.neuron "lif" determines the scale

nir.graph @net("input" %x: tensor<3xf32>) -> ("output": tensor<2xi1>) {
  %y = nir.affine "fc" %x {
    weight = #nopt.array<[[100.0, 1.0e-9, 2.0e-9], [1.0e-9, 2.0e-9, 3.0e-9]] : tensor<2x3xf32>>,
    bias = #nopt.array<[1.0e-9, 2.0e-9] : tensor<2xf32>>
  } : tensor<3xf32> -> tensor<2xf32>
  %z = nir.lif "lif" %y {
    tau = #nopt.array<0.02 : tensor<f32>>,
    r = #nopt.array<1.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
