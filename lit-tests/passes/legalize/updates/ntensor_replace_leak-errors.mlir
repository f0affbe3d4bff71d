// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-replace-leak' 2>&1 | filecheck %s
// RUN: not nopt %root/lit-tests/passes/legalize/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-replace-leak{nodes=z}' 2>&1 | filecheck %s --check-prefix=NODE

// NODE: error[ANA031]: ntensor-replace-leak has no node "z" to work on

// A synaptic current is removed by its name alone.
// CHECK:      error[LEG120]: the replacement of a leak changes more than its option names
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: approximate=current,leak
// CHECK-NEXT:   found: approximate=leak
// CHECK-NEXT:   help: nopt {{.*}}ntensor_replace_leak-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-replace-leak{approximate=current,leak}'
nir.graph @current("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.cuba_lif "lif" %a {tau_syn = #nopt.array<[0.004] : tensor<1xf64>>, w_in = #nopt.array<[1.0] : tensor<1xf32>>, tau_mem = #nopt.array<[0.004] : tensor<1xf64>>, r = #nopt.array<constant(value = 2.0) : tensor<1xf32>>, v_leak = #nopt.array<constant(value = 0.5) : tensor<1xf32>>, v_threshold = #nopt.array<constant(value = 1.5) : tensor<1xf32>>, v_reset = #nopt.array<constant(value = 0.5) : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// A bias needs an op that holds it.
// CHECK:      error[LEG121]: no op before a leaky population can hold its leak as a bias
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: a linear op, a scale or a convolution that only this population reads
// CHECK-NEXT:   found: an input
// CHECK-NEXT:   help: put a linear op with weights of 1 before the population
nir.graph @bare("in" %in: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %z = nir.lif "lif" %in {tau = #nopt.array<[0.004, 0.004] : tensor<2xf64>>, r = #nopt.array<constant(value = 2.0) : tensor<2xf32>>, v_leak = #nopt.array<constant(value = 0.5) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 1.5) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.5) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
