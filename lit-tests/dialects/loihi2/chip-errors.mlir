// A table is stored in a format of the device with its layout and bits; Loihi 1 has no weights of 7 bits.
// RUN: mutate 's/"dense8", num_weight_bits = 8/"dense7", num_weight_bits = 8/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FORMAT
// RUN: mutate 's/oheo_gulch/loihi1/' 's/"dense8", num_weight_bits = 8/"dense7", num_weight_bits = 7/' 's/\[\[6, -14\], \[0, 10\]\]/[[4, -16], [0, 8]]/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SEVEN
// RUN: mutate 's/"dense8", num_weight_bits = 8/"dense7", num_weight_bits = 7/' 's/\[\[6, -14\], \[0, 10\]\]/[[4, -16], [0, 8]]/' %S/inputs/loihi2.mlir | nopt - -o /dev/null
// FORMAT:      error[CHI004]: loihi2/oheo_gulch has no such format of synapses
// FORMAT-NEXT:   at: loihi2.dense "fc1"
// FORMAT-NEXT:   expected: a format with the layout dense and 8 bits: dense8 (loihi2/oheo_gulch, synapse.formats)
// FORMAT-NEXT:   found: dense7
// FORMAT-NEXT:   help: compile the network again
// SEVEN:       error[CHI004]: loihi2/loihi1 has no such format of synapses
// SEVEN-NEXT:    at: loihi2.dense "fc1"
// SEVEN-NEXT:    expected: a format with the layout dense and 7 bits: none (loihi2/loihi1, synapse.formats)

// The exponent has a register of four bits.
// RUN: mutate 's/weight_exp = -1 /weight_exp = 8 /' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: mutate 's/weight_exp = -1 /weight_exp = -9 /' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SMALL
// LARGE:      error[CHI006]: weight_exp is out of the range of loihi2/oheo_gulch
// LARGE-NEXT:   at: loihi2.dense "fc1"
// LARGE-NEXT:   expected: at most 7 (loihi2/oheo_gulch, features.weight_exp_max: {{.*}})
// LARGE-NEXT:   found: 8
// SMALL:      error[CHI006]: weight_exp is out of the range of loihi2/oheo_gulch
// SMALL-NEXT:   at: loihi2.dense "fc1"
// SMALL-NEXT:   expected: at least -8 (loihi2/oheo_gulch, features.weight_exp_min: {{.*}})
// SMALL-NEXT:   found: -9

// The register of a delay has 6 bits, and holds 0 to 63; on Loihi 1 to 62.
// RUN: mutate 's/array<3 : tensor<i32>>, axon/array<64 : tensor<i32>>, axon/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DELAY
// RUN: mutate 's/oheo_gulch/loihi1/' 's/array<3 : tensor<i32>>, axon/array<63 : tensor<i32>>, axon/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FIRST
// DELAY:      error[DEV016]: delay 65 exceeds the limit 64
// DELAY-NEXT:   at: loihi2.compartments "lif1/1"
// DELAY-NEXT:   expected: at most 64 ticks (loihi2/oheo_gulch, synapse.delay.max: {{.*}})
// DELAY-NEXT:   found: 65 ticks
// FIRST:      error[DEV016]: delay 64 exceeds the limit 63
// FIRST-NEXT:   at: loihi2.compartments "lif1/1"
// FIRST-NEXT:   expected: at most 63 ticks
// FIRST-NEXT:   found: 64 ticks

// A core has limits for compartments, axons, memory, thresholds, profiles and formats.
// RUN: mutate 's/machine.device/machine.set = ["core.neurons=1"], machine.device/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEURONS
// RUN: mutate 's/machine.device/machine.set = ["core.input_axons=1"], machine.device/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXONS
// RUN: mutate 's/machine.device/machine.set = ["core.shared.thresholds.classes=1"], machine.device/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CLASSES
// RUN: mutate 's/machine.device/machine.set = ["core.memory_bytes=15"], machine.device/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MEMORY
// NEURONS:      error[DEV016]: neurons 2 exceed the limit 1
// NEURONS:        expected: at most 1 neuron
// NEURONS-NEXT:   found: 2 neurons
// AXONS:        error[DEV016]: input axons 2 exceed the limit 1
// AXONS:          expected: at most 1 axon
// AXONS-NEXT:     found: 2 axons
// CLASSES:      error[DEV016]: classes of thresholds 2 exceed the limit 1
// CLASSES:        expected: at most 1 class
// CLASSES-NEXT:   found: 2 classes
// Two rows of 10 + 2 x 8 bits take 64 bits each: 16 bytes.
// MEMORY:       error[DEV016]: synapse bytes and neuron bytes {{\d+}} exceed the limit 15
// MEMORY:         expected: at most 15 bytes

// A dead core stays unused.
// RUN: mutate 's/machine.device = "loihi2.oheo_gulch"/machine.set = ["topology.cores=96", "topology.mesh.cores=3"], machine.device = "loihi2\/oheo_gulch"/' 's/neuro_core 2/neuro_core 96/' 's/core = #nopt.array<.0, 0, 2./core = #nopt.array<[0, 0, 96]/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CORE
// CORE:      error[CHI003]: the device has no such core
// CORE-NEXT:   at: loihi2.neuro_core
// CORE-NEXT:   expected: a usable core below 96
// CORE-NEXT:   found: 96
