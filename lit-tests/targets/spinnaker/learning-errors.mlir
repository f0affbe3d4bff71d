// Multiplicative weights belong to all pairs of spikes: the chip has no such nearest pairs; the help works.
// RUN: rm -rf %t && nopt compile %S/inputs/stdp.mlir --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t
// RUN: python -c "import numpy; numpy.save('%t.npy', numpy.ones((4, 3), bool))"
// RUN: rm -rf %t.pair && cp -r %t %t.pair
// RUN: rm -rf %t && nopt compile %S/inputs/nearest.mlir --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t
// RUN: mutate -i 's/"weights": "additive"/"weights": "multiplicative"/' %t/artefact/network.json
// RUN: exits 1 nopt run %t --input %t.npy 2>&1 | filecheck %s --check-prefix=MODEL
// MODEL:      error[CHI022]
// MODEL-NEXT:   at: spinnaker.rows "fc1"
// RUN: rm -rf %t && nopt compile %S/inputs/stdp.mlir --target spinnaker/spinn3 --dt 1ms --like euler --reset value --passes 'ntensor-freeze-plasticity' -o %t && nopt run %t --input %t.npy

// Rows of nearest pairs have one word before their weights, and those of pairs two.
// RUN: mutate -i 's/"timing": "spike_pair"/"timing": "spike_nearest_pair"/' %t.pair/artefact/network.json
// RUN: exits 1 nopt run %t.pair --input %t.npy 2>&1 | filecheck %s --check-prefix=FORM
// FORM:      error[SPN001]: a synaptic row is not one of the chip
// FORM:        expected: the form of rows that learn

// Other nearest schemes have traces that the chip lacks.
// RUN: mutate 's/stdp_nearest_pair/stdp_reduced/' %S/inputs/nearest.mlir | not nopt compile - --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t.reduced 2>&1 | filecheck %s --check-prefix=SCHEME
// SCHEME: error[{{[A-Z]+[0-9]+}}]
// SCHEME: found: stdp_reduced, which has states of each synapse: x, open
// SCHEME: --approximate plasticity
// RUN: mutate 's/stdp_nearest_pair/stdp_reduced/' %S/inputs/nearest.mlir | nopt compile - --target spinnaker/spinn3 --dt 1ms --like euler --reset value --passes 'ntensor-freeze-plasticity{nodes=fc1}' -o %t.reduced

// So has a nearest pair with dendritic delays.
// RUN: mutate 's/w_max = 1.0/w_max = 1.0, delay = "dendritic"/' %S/inputs/nearest.mlir | not nopt compile - --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t.delay 2>&1 | filecheck %s --check-prefix=DELAY
// DELAY: found: stdp_nearest_pair, which has states of each synapse: x

// Triplets of nearest spikes are another rule.
// RUN: mutate 's/w_max = 1.0/w_max = 1.0, pairing = "nearest"/' %S/inputs/triplet.mlir | not nopt compile - --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t.pairing 2>&1 | filecheck %s --check-prefix=PAIRING
// PAIRING: expected: {{.*}}triplets: two traces of each side, as triplet has them
// PAIRING: found: triplet, which has traces r1, r2 of sources and o1, o2 of targets
// RUN: mutate 's/a3_plus = 0.02/a3_plus = -0.02/' %S/inputs/triplet.mlir | not nopt compile - --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t.terms 2>&1 | filecheck %s --check-prefix=TERMS
// TERMS: error[ANA004]: the chip does not compute this learning rule
// TERMS:   expected: a2_plus and a2_minus and a3_plus and a3_minus of 0 or more
// TERMS:   found: 0.01 and 0.012 and -0.02 and 0.004

// sPyNNaker limits a weight that grows by the upper bound alone, so that a negative amplitude would leave the lower one.
// RUN: mutate 's/0.01, 0.012, 0.02/-0.01, 0.012, 0.02/' %S/inputs/stdp.mlir | not nopt compile - --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t.negative 2>&1 | filecheck %s --check-prefix=NEGATIVE
// NEGATIVE:      error[ANA004]: the chip does not compute this learning rule
// NEGATIVE-NEXT:   at: machine.projection "fc1"
// NEGATIVE-NEXT:   expected: a_plus and a_minus of 0 or more
// NEGATIVE-NEXT:   found: -0.01 and 0.012

// All projections into a population that learn have one rule.
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker/spinn3},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,machine-make-tables,convert-machine-to-spinnaker' 2>&1 | filecheck %s --check-prefix=RULE
// RUN: mutate 's/0.01, 0.014/0.01, 0.012/' %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker/spinn3},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,machine-make-tables,convert-machine-to-spinnaker' -o /dev/null
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-freeze-plasticity{nodes=fc1},ntensor-legalize{device=spinnaker/spinn3},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,machine-make-tables,convert-machine-to-spinnaker' -o /dev/null
// RULE:       error[ANA004]: the chip does not compute this learning rule
// RULE-NEXT:    at: machine.projection "fc1"
// RULE-NEXT:    expected: the rule of "fc2", since a population has one
// RULE:         help: {{.*}}ntensor-freeze-plasticity{nodes=fc1}

// A lower bound below 0 would change the receptor of a weight.
// RUN: mutate 's/0.02, 0.0, 1.0/0.02, -1.0, 1.0/' %s | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker/spinn3},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,machine-make-tables,convert-machine-to-spinnaker' 2>&1 | filecheck %s --check-prefix=SIGN
// SIGN:       error[LEG056]
// SIGN:         found: mixed weights that learn
nir.graph @two("x" %x: tensor<3xi1>) -> ("y": tensor<2xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.5, 0.25, 0.0], [0.75, 0.25, 1.0]] : tensor<2x3xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<3xi1> -> tensor<2xf32>
  %b = nir.linear "fc2" %x {weight = #nopt.array<[[0.25, 0.25, 0.5], [0.75, 0.25, 1.0]] : tensor<2x3xf32>>, plasticity = #nir.stdp<0.01, 0.014, 0.02, 0.02, 0.0, 1.0>} : tensor<3xi1> -> tensor<2xf32>
  %c = nir.sum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %s = nir.lif "one" %c {tau = #nopt.array<[0.002, 0.002] : tensor<2xf32>>, r = #nopt.array<[2.0, 2.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[0.5, 0.5] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %s : tensor<2xi1>
}
