// On DYNAP-SE1 a weight takes several synapses, and the lower part of a tag is the number of the neuron on its core.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=dynapse/se1 approximate=initial,current,refractory,reset,early},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges' > %t.mlir
// RUN: nopt %t.mlir -p convert-machine-to-dynapse | filecheck %s

// The neurons of "one" have the numbers 0 and 1 on core 0, and inputs the tags that are left. Weights of 0.5, -0.25, 0.75, 0.25 and 1.0 are 2, 1, 3, 1 and 4
// times a quarter, which is 255 steps of AMPA, 1, and of GABA_B, 4.
// CHECK:      dynapse.input "x/0" of "x" at 0
// CHECK-NEXT:   dynapse.destinations {neuron = #nopt.array<[0, 1, 2] : tensor<3xi32>>, {{.*}}tag = #nopt.array<[2, 3, 4] : tensor<3xi32>>}
// CHECK:      dynapse.neurons "one/0" of "one" @dynapse {{.*}}currents = #nopt.array<[255, 0, 255, 0] : tensor<4xi32>>
// CHECK-NEXT:   dynapse.synapses {neuron = #nopt.array<[0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1] : tensor<11xi32>>, tag = #nopt.array<[2, 2, 3, 2, 2, 2, 3, 4, 4, 4, 4] : tensor<11xi32>>, mask = #nopt.array<[1, 1, 4, 1, 1, 1, 1, 1, 1, 1, 1] : tensor<11xi32>>, is_inhibitory = #nopt.array<[0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0] : tensor<11xi32>>}
// CHECK-NEXT:   dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, {{.*}}tag = #nopt.array<[0, 1] : tensor<2xi32>>}

// Two excitatory currents: 765 is a sum of three synapses, two of 255 steps of AMPA and one of NMDA, or three of AMPA. 100 needs NMDA.
// RUN: mutate '/linear "fc2"/s/\[1020, 510\], \[255, -1020\]/[765, 100], [255, -1020]/' %t.mlir | nopt - -p convert-machine-to-dynapse | filecheck %s --check-prefix=SECOND
// SECOND:     dynapse.neurons "two/0" of "two" {{.*}}currents = #nopt.array<[255, 100, 255, 0] : tensor<4xi32>>
// SECOND:       mask = #nopt.array<[1, 1, 1, 2, 1, 4, 4, 4, 4] : tensor<9xi32>>

// The largest sum of four synapses is 1020. Inhibitory weights have one current: -255 and -1020 are 1 and 4 times 255, -254 and -1020 no multiples.
// RUN: mutate '/linear "fc2"/s/\[1020, 510\], \[255, -1020\]/[1020, 510], [-255, -1020]/' %t.mlir | nopt - -p convert-machine-to-dynapse -o /dev/null
// RUN: mutate '/linear "fc2"/s/\[1020, 510\], \[255, -1020\]/[1021, 510], [255, -1020]/' %t.mlir | not nopt - -p convert-machine-to-dynapse 2>&1 | filecheck %s --check-prefix=SUMS
// RUN: mutate '/linear "fc2"/s/\[1020, 510\], \[255, -1020\]/[1020, 510], [-254, -1020]/' %t.mlir | not nopt - -p convert-machine-to-dynapse 2>&1 | filecheck %s --check-prefix=MULTIPLES
// SUMS:       error[DSN010]: the weights of a core are not sums of its currents
// SUMS-NEXT:    at: machine.projection "fc2"
// SUMS-NEXT:    expected: integers that are sums of up to 4 of the numbers of their sign up to 255, for all synapses of a core
// SUMS-NEXT:    found: 4 other sizes of weights on core 1
// SUMS-NEXT:    help: run ntensor-replace-biases,ntensor-fit-weight-masks{device="dynapse/se1"} before convert-ntensor-to-machine
// MULTIPLES:  error[DSN010]: the weights of a core are not sums of its currents

// Neuron 1 of "one" has 8 synapses for 3 weights.
// RUN: mutate 's/machine.device = #nopt.device<[^>]*>/machine.device = "dynapse\/se1", machine.set = ["core.fan_in=8"]/' %t.mlir | nopt - -p convert-machine-to-dynapse -o /dev/null
// RUN: mutate 's/machine.device = #nopt.device<[^>]*>/machine.device = "dynapse\/se1", machine.set = ["core.fan_in=7"]/' %t.mlir | not nopt - -p convert-machine-to-dynapse 2>&1 | filecheck %s --check-prefix=WORDS
// WORDS:      error[DSN012]: the weights of a neuron take too many synapses
// WORDS-NEXT:   at: machine.projection "fc1"
// WORDS-NEXT:   expected: at most 7 synapses of a neuron (dynapse/se1, core.fan_in: set by the user)
// WORDS-NEXT:   found: 8 synapses
// WORDS-NEXT:   help: run ntensor-fit-weight-masks{device="dynapse/se1" set="core.fan_in=7"} before convert-ntensor-to-machine

// Each neuron of "one" sends to both neurons of "two", which are on two chips of three cores: it has two destinations, with one number.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=dynapse/se1 set="topology.chips=2,topology.cores=6,topology.mesh.cores=3,topology.chip_mesh.width=2,core.neurons=1,features.destinations=2" approximate=initial,current,refractory,reset,early},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-dynapse' | filecheck %s --check-prefix=CHIPS
// RUN: not nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=dynapse/se1 set="topology.chips=2,topology.cores=6,topology.mesh.cores=3,topology.chip_mesh.width=2,core.neurons=1,features.destinations=1" approximate=initial,current,refractory,reset,early},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-dynapse' 2>&1 | filecheck %s --check-prefix=ONE
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=dynapse/se1 set="core.neurons=2,topology.chips=1,topology.cores=3,topology.mesh.cores=3,topology.chip_mesh.width=1,features.destinations=1" approximate=initial,current,refractory,reset,early},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-dynapse' -o /dev/null
// CHIPS:      dynapse.neurons "one/0"
// CHIPS:        dynapse.destinations {neuron = #nopt.array<[0, 0] : tensor<2xi32>>, chip = #nopt.array<[0, 1] : tensor<2xi32>>, cores = #nopt.array<[4, 1] : tensor<2xi32>>, tag = #nopt.array<[0, 0] : tensor<2xi32>>}
// ONE:        error[DSN013]: a neuron sends to too many chips
// ONE-NEXT:     at: machine.population "one"
// ONE-NEXT:     expected: at most 1 chips for each neuron (dynapse/se1, features.destinations: set by the user)
// ONE-NEXT:     found: 2 chips
// ONE-NEXT:     help: nopt {{.*}}net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device="dynapse/se1" set="core.neurons=2,topology.chips=1,topology.cores=3,topology.chip_mesh.width=1" approximate=initial,current,refractory,reset,early},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-dynapse'
