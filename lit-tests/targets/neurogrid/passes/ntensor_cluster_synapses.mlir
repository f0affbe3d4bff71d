// The excitatory weights 1, 1.1 and 4 become one event of two populations, whose values are the means 1.05 and 4: the conductance of the second is
// 4 / 1.05 = 3.8095 times that of the first. The inhibitory weights have one value, -0.5, so that both values are equal.
// RUN: mutate 's/\[1.0, -0.5\], \[2.0, 1.0\]/[1.0, -0.5], [4.0, 1.1]/' %S/../inputs/net.mlir | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-cluster-synapses{nodes=two}' | filecheck %s
// CHECK: #ntensor.approximation<"ntensor-cluster-synapses{nodes=two}", "weights clustered to two values of each sign", ["fc2"], 0.05
// CHECK: #ntensor.approximation<"ntensor-cluster-synapses{nodes=two}", "quadratic somas: two by {{.*}}, rates differ by {{[0-9]+}}%", ["two"]
// CHECK: ntensor.neuron "one" @euler_lif.value
// CHECK: %[[A:[0-9]+]] = ntensor.linear "fc2.excitatory" %{{.*}} {weight = #nopt.array<{{\[\[}}1, 0], [0, 1]] : tensor<2x2xi16>>
// CHECK: %[[C:[0-9]+]] = ntensor.linear "fc2.excitatory.2" %{{.*}} {weight = #nopt.array<{{\[\[}}0, 0], [1, 0]] : tensor<2x2xi16>>
// CHECK: %[[B:[0-9]+]] = ntensor.linear "fc2.inhibitory" %{{.*}} {weight = #nopt.array<{{\[\[}}0, 1], [0, 0]] : tensor<2x2xi16>>
// CHECK: %[[D:[0-9]+]] = ntensor.linear "fc2.inhibitory.2" %{{.*}} {weight = #nopt.array<{{\[\[}}0, 0], [0, 0]] : tensor<2x2xi16>>
// CHECK: ntensor.neuron "two" @neurogrid_soma(%[[A]], %[[B]], %[[C]], %[[D]])

// The chip has four synapse populations for the neurons.
// RUN: nopt %S/../inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-cluster-synapses,ntensor-legalize{device=neurogrid/board},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-neurogrid' | filecheck %s --check-prefix=CHIP
// CHIP: neurogrid.terminals "fc1.excitatory" {{.*}}synapse = #nopt.array<[0, 0] : tensor<2xi32>>
// CHIP: neurogrid.terminals "fc1.excitatory.2" {{.*}}synapse = #nopt.array<[2] : tensor<1xi32>>
// CHIP: neurogrid.somas "one/0" of "one" @neurogrid_soma {{.*}}arbors = #nopt.array<[0.0, 0.0, 0.0, 0.0] : tensor<4xf64>>
