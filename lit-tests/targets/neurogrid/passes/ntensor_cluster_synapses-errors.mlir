// Biases are synapses before.
// RUN: nopt %S/../inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value}' > %t.mlir
// RUN: mutate '/linear "fc2"/s/weight = /bias = #nopt.array<[0.5, 0.0] : tensor<2xf32>>, weight = /' %t.mlir > %t.bias
// RUN: exits 1 nopt %t.bias -p ntensor-cluster-synapses 2>&1 | filecheck %s --check-prefix=BIAS
// RUN: nopt %t.bias -p ntensor-replace-biases,ntensor-cluster-synapses -o /dev/null
// BIAS:        error[NGR010]: the weights of a population cannot be clustered
// BIAS-NEXT:     at: ntensor.linear "fc2"
// BIAS-NEXT:     expected: sums without a bias
// BIAS-NEXT:     found: a bias
// BIAS-NEXT:     help: nopt {{.*}}ntensor_cluster_synapses-errors.mlir.tmp.bias -p ntensor-replace-biases,ntensor-cluster-synapses

// Populations that share synapses are clustered together, which works for leaky ones.
// RUN: mutate 's|  ntensor.output|  %other = ntensor.neuron "other" @cell(%y) {params = {}, initial = {}} : (tensor<5xf64>) -> tensor<5xi1>\n  ntensor.output|' %S/../inputs/row.mlir > %t.other
// RUN: exits 1 nopt %t.other -p ntensor-cluster-synapses 2>&1 | filecheck %s --check-prefixes=SHARED,NONE
// RUN: mutate '/"other"/s/initial = {}/initial = {}, family = "lif"/' %t.other | exits 1 nopt - -p 'ntensor-cluster-synapses{nodes=row}' 2>&1 | filecheck %s --check-prefixes=SHARED,BOTH
// SHARED:      error[NGR010]
// SHARED-NEXT:   at: ntensor.neuron "row"
// SHARED-NEXT:   expected: synapses of its own
// SHARED-NEXT:   found: synapses of other
// NONE-NEXT:     help: nopt explain NGR010
// BOTH-NEXT:     help: nopt - -p 'ntensor-cluster-synapses{nodes=row,other}'

// RUN: exits 2 nopt %t.mlir -p 'ntensor-cluster-synapses{nodes=three}' 2>&1 | filecheck %s --check-prefix=NODE
// NODE:        error[ANA031]
