// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=dynapse/se2 approximate=initial,current,refractory,reset,early},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-dynapse' | filecheck %s

// Each synapse has a tick: the output is 2 ticks late. The tags of the chip count the entries of the input, then the neurons of "one". Entry 2 has a
// weight of 0 to neuron 0, which is omitted. Weights are 2, -1, 3, 1 and 4 times a quarter, which is 255 steps of each current.
// CHECK:      dynapse.chip @net attributes {{.*}}machine.latency_ticks = {y = 2 : i64}
// CHECK-NEXT:   dynapse.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi1> {
// CHECK-NEXT:     dynapse.destinations {neuron = #nopt.array<[0, 1, 2] : tensor<3xi32>>, chip = #nopt.array<[0, 0, 0] : tensor<3xi32>>, cores = #nopt.array<[1, 1, 1] : tensor<3xi32>>, tag = #nopt.array<[0, 1, 2] : tensor<3xi32>>}
// CHECK:        dynapse.core 0 attributes {axons = 3 : i64} {
// CHECK-NEXT:     dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, {{.*}}currents = #nopt.array<[255, 255, 255, 255] : tensor<4xi32>>} : tensor<2xi1> {
// CHECK-NEXT:       dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[3, 1, 7, 1, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}

// The other synaptic current takes a core of its own: the events of "one" go to core 1, whose bit is 2.
// CHECK-NEXT:       dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[2, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
// CHECK:        dynapse.core 1 attributes {axons = 2 : i64} {
// CHECK:            dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, {{.*}}is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}

// Two chips with one core each: a neuron names the chip, and each chip counts its own tags.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=dynapse/se2 set="topology.chips=2,topology.cores=2,topology.mesh.cores=1,topology.chip_mesh.width=2" approximate=initial,current,refractory,reset,early},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-dynapse' | filecheck %s --check-prefix=TWO
// TWO:        dynapse.core 0
// TWO:          dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[1, 1] : tensor<2xi32>>, cores = #nopt.array<[1, 1] : tensor<2xi32>>, tag = #nopt.array<[0, 1] : tensor<2xi32>>}
// TWO:        dynapse.core 1
// TWO:          dynapse.synapses {{.*}}tag = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>
