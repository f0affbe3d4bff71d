// A neuron has four destinations: five are too many. The host sends events of inputs to any number.
// RUN: mutate 's/neuron = #nopt.array<\[0, 1\] : tensor<2xi32>>, chip = #nopt.array<\[0, 0\] : tensor<2xi32>>, cores = #nopt.array<\[2, 2\] : tensor<2xi32>>, tag = #nopt.array<\[3, 4\] : tensor<2xi32>>/neuron = #nopt.array<[0, 0, 0, 0, 1] : tensor<5xi32>>, chip = #nopt.array<[0, 0, 0, 0, 0] : tensor<5xi32>>, cores = #nopt.array<[2, 4, 4, 4, 2] : tensor<5xi32>>, tag = #nopt.array<[3, 5, 6, 7, 4] : tensor<5xi32>>/' %S/inputs/dynapse.mlir > %t.four
// RUN: nopt %t.four -o /dev/null
// RUN: mutate 's/\[0, 0, 0, 0, 1\] : tensor<5xi32>>, chip/[0, 0, 0, 0, 0] : tensor<5xi32>>, chip/' %t.four | not nopt - 2>&1 | filecheck %s --check-prefix=DESTINATIONS
// RUN: mutate '/dynapse.input/,/^  }/s/\[0, 1, 2\] : tensor<3xi32>>, chip = #nopt.array<\[0, 0, 0\] : tensor<3xi32>>, cores = #nopt.array<\[1, 1, 1\] : tensor<3xi32>>, tag = #nopt.array<\[0, 1, 2\] : tensor<3xi32>>/[0, 0, 0, 0, 0] : tensor<5xi32>>, chip = #nopt.array<[0, 0, 0, 0, 0] : tensor<5xi32>>, cores = #nopt.array<[1, 1, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 2, 3, 4] : tensor<5xi32>>/' %S/inputs/dynapse.mlir | nopt - | filecheck %s --check-prefix=HOST
// DESTINATIONS:      error[DSN002]: a neuron has too many destinations
// DESTINATIONS-NEXT:   at: dynapse.neurons "one/0"
// DESTINATIONS-NEXT:   expected: at most 4 (dynapse/se2, features.destinations: {{.*}})
// DESTINATIONS-NEXT:   found: 5
// DESTINATIONS-NEXT:   help: compile the network again
// HOST:              dynapse.destinations {neuron = #nopt.array<[0, 0, 0, 0, 0] : tensor<5xi32>>

// A tag has 11 bits: 2047 is one, 2048 is not, in destinations and in synapses.
// RUN: mutate 's/tag = #nopt.array<\[3, 4\]/tag = #nopt.array<[3, 2047]/' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/tag = #nopt.array<\[3, 4\]/tag = #nopt.array<[3, 2048]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TAG
// RUN: mutate 's/tag = #nopt.array<\[3, 4, 3, 4\]/tag = #nopt.array<[3, 2047, 3, 2047]/' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/tag = #nopt.array<\[3, 4, 3, 4\]/tag = #nopt.array<[3, 2048, 3, 2048]/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=WORD
// TAG:               error[DSN003]: a tag does not exist
// TAG-NEXT:            at: dynapse.neurons "one/0"
// TAG-NEXT:            expected: a tag below 2048 (dynapse/se2, features.tags: {{.*}})
// TAG-NEXT:            found: 2048
// TAG-NEXT:            help: compile the network again
// WORD:              error[DSN003]: a tag does not exist
// WORD-NEXT:           at: dynapse.core
// WORD:                found: 2048

// A destination names a chip of the device: chip 1 exists on a board of two chips.
// RUN: mutate 's/chip = #nopt.array<\[0, 0\]/chip = #nopt.array<[0, 1]/' %S/inputs/dynapse.mlir > %t.chip
// RUN: not nopt %t.chip 2>&1 | filecheck %s --check-prefix=CHIP
// RUN: mutate 's/machine.device/machine.set = ["topology.chips=2","topology.cores=8","topology.chip_mesh.width=2"], machine.device/' %t.chip | nopt - -o /dev/null
// CHIP:              error[DSN004]: a destination does not exist
// CHIP-NEXT:           at: dynapse.neurons "one/0"
// CHIP-NEXT:           expected: a chip below 1 (dynapse/se2, topology.chips: {{.*}})
// CHIP-NEXT:           found: 1
// CHIP-NEXT:           help: compile the network again

// A mask names cores of a chip: 8 names core 3 alone. On a chip of three cores, 4 is the last.
// RUN: mutate 's/cores = #nopt.array<\[2, 2\]/cores = #nopt.array<[8, 15]/' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/cores = #nopt.array<\[2, 2\]/cores = #nopt.array<[7, 4]/' 's/machine.device/machine.set = ["topology.cores=3","topology.mesh.cores=3"], machine.device/' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/cores = #nopt.array<\[2, 2\]/cores = #nopt.array<[7, 8]/' 's/machine.device/machine.set = ["topology.cores=3","topology.mesh.cores=3"], machine.device/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MASK
// MASK:              error[DSN004]: a destination does not exist
// MASK-NEXT:           at: dynapse.neurons "one/0"
// MASK-NEXT:           expected: a core below 3 of a chip (dynapse/se2, topology.cores: {{.*}})
// MASK-NEXT:           found: 3
// MASK-NEXT:           help: compile the network again

// The device has 4 cores.
// RUN: mutate 's/dynapse.core 1 /dynapse.core 3 /' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/dynapse.core 1 /dynapse.core 4 /' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PLACE
// PLACE:             error[CHI003]: the device has no such core

// A core has 256 neurons, and a neuron 64 synapses; here they are 2 and 3.
// RUN: mutate 's/machine.device/machine.set = ["core.neurons=2","core.fan_in=3"], machine.device/' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/machine.device/machine.set = ["core.neurons=1"], machine.device/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEURONS
// RUN: mutate 's/machine.device/machine.set = ["core.fan_in=2"], machine.device/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SYNAPSES
// NEURONS:           error[DEV016]: neurons {{\d+}} exceed the limit {{\d+}}
// SYNAPSES:          error[DEV016]: fan-in 3 exceeds the limit 2
// SYNAPSES:            expected: at most 2 synapses (dynapse/se2, core.fan_in: set by the user)
// SYNAPSES-NEXT:       found: 3 synapses

// The groups of a core have the parameters that it has one of.
// RUN: mutate 's/i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>/i_spkthr = #nopt.array<[1.0e-11, 1.0e-11] : tensor<2xf64>>/' %S/inputs/dynapse.mlir | nopt - -o /dev/null
// RUN: mutate 's/i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>/i_spkthr = #nopt.array<[1.0e-11, 2.0e-11] : tensor<2xf64>>/' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHARED
// SHARED:            error[DEV016]: classes of biases 2 exceed the limit 1
// SHARED-NEXT:         at: dynapse.neurons "one/0"
// SHARED-NEXT:         expected: at most 1 class (dynapse/se2, core.shared.biases.classes: {{.*}})
// SHARED-NEXT:         found: 2 classes
