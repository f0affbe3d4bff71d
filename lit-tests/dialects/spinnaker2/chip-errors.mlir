// Weights have a sign and 7 bits: -127 is one, -128 is not, although 8 bits hold it.
// RUN: mutate 's/-16, 16/-127, 16/' %S/inputs/spinnaker2.mlir | nopt - -o /dev/null
// RUN: mutate 's/-16, 16/-128, 16/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=WEIGHT
// WEIGHT:      error[STN003]: a weight is beyond those of the neuron model
// WEIGHT-NEXT:   at: spinnaker2.connections "fc1"
// WEIGHT-NEXT:   expected: at most 127 in magnitude (spinnaker2/chip, features.largest_weight: {{.*}})
// WEIGHT-NEXT:   found: 128
// WEIGHT-NEXT:   help: compile the network again

// With delays, weights have 4 bits.
// RUN: mutate 's/spinnaker2.chip"/spinnaker2\/chip_delays"/' 's/model = "lif_no_delay"/model = "lif"/' 's/\[32, 48, -16, 16, 127\]/[15, 1, -15, 1, 15]/' 's/\[64, 16, 32, 64\]/[1, 2, 3, -15]/' %S/inputs/spinnaker2.mlir > %t.lif
// RUN: nopt %t.lif -o /dev/null
// RUN: mutate 's/3, -15/3, -16/' %t.lif | not nopt - 2>&1 | filecheck %s --check-prefix=LIF
// RUN: mutate 's/3, -15/3, 16/' %t.lif | not nopt - 2>&1 | filecheck %s --check-prefix=BITS
// LIF:         error[STN003]: a weight is beyond those of the neuron model
// LIF:           expected: at most 15 in magnitude (spinnaker2/chip_delays, features.largest_weight: {{.*}})
// LIF-NEXT:      found: 16
// BITS:        error[{{STN003|DEV016}}]

// Their delays are 0 to 7, which take 1 to 8 ticks.
// RUN: mutate 's/delay = #nopt.array<0 : tensor<i32>>/delay = #nopt.array<7 : tensor<i32>>/' %t.lif | nopt - -o /dev/null
// RUN: mutate 's/delay = #nopt.array<0 : tensor<i32>>/delay = #nopt.array<8 : tensor<i32>>/' %t.lif | not nopt - 2>&1 | filecheck %s --check-prefix=DELAY
// DELAY:       error[DEV016]: delay 9 exceeds the limit 8
// DELAY:         expected: at most 8 ticks
// DELAY-NEXT:    found: 9 ticks

// A device has the programs of some neuron models.
// RUN: mutate '/one.0. of/s/model = "lif_no_delay"/model = "lif"/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MODEL
// MODEL:       error[STN004]: spinnaker2/chip has no such neuron model
// MODEL-NEXT:    at: spinnaker2.neurons "one/0"
// MODEL-NEXT:    expected: one of lif_no_delay, lif_curr_exp_no_delay (spinnaker2/chip, neuron.updates)
// MODEL-NEXT:    found: lif
// MODEL-NEXT:    help: compile the network again

// A processing element has some neurons, and memory: 9 connections of 4 bytes, and 2 neurons with a state of 4 bytes each.
// RUN: mutate 's/machine.device/machine.set = ["core.neurons=2"], machine.device/' %S/inputs/spinnaker2.mlir | nopt - -o /dev/null
// RUN: mutate 's/machine.device/machine.set = ["core.neurons=1"], machine.device/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEURONS
// RUN: mutate 's/machine.device/machine.set = ["core.memory_bytes=32796","core.memory.data.bytes=28"], machine.device/' %S/inputs/spinnaker2.mlir | nopt - -o /dev/null
// RUN: mutate 's/machine.device/machine.set = ["core.memory_bytes=32795","core.memory.data.bytes=27"], machine.device/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MEMORY
// NEURONS:     error[DEV016]: neurons {{\d+}} exceed the limit {{\d+}}
// MEMORY:      error[DEV016]: synapse bytes and neuron bytes 28 exceed the limit 27
// MEMORY:        found: 28

// Connections come from inputs and populations.
// RUN: mutate 's/"fc2" of "one"/"fc2" of "three"/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SOURCE
// RUN: mutate 's/\[0, 0, 1, 1\] : tensor<4xi32>>, post/[0, 0, 1, 2] : tensor<4xi32>>, post/' 's/axons = 2/axons = 3/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEURON
// SOURCE:      error[CHI002]: connections from nothing
// SOURCE-NEXT:   at: spinnaker2.connections "fc2"
// SOURCE-NEXT:   expected: one of x, one, two
// SOURCE-NEXT:   found: three
// NEURON:      error[CHI002]: a connection belongs to no neuron
// NEURON:        expected: a neuron below 2 of one
// NEURON-NEXT:   found: 2

// The device has 148 cores.
// RUN: mutate 's/x" at 0 attr/x" at 148 attr/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PLACE
// PLACE:       error[CHI003]: the device has no such core

// The input takes one of them, too.
// RUN: mutate 's/machine.device/machine.set = ["topology.cores=3"], machine.device/' %S/inputs/spinnaker2.mlir | nopt - -o /dev/null
// RUN: mutate 's/machine.device/machine.set = ["topology.cores=2"], machine.device/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=INPUTS
// INPUTS:      error[STN005]: no processing element is left for the inputs
// INPUTS-NEXT:   at: spinnaker2.chip @net
// INPUTS-NEXT:   expected: at most 2 processing elements (spinnaker2/chip, topology.cores: {{.*}})
// INPUTS-NEXT:   found: 3: 2 of neurons and 1 of inputs
// INPUTS-NEXT:   help: compile the network again

// The reset of the chip's program is that of the update, which the model computes.
// RUN: mutate '/one.0. of/s/reset_to_v_reset/reset_by_subtraction/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=RESET
// RESET:       error[CHI013]: the neurons are not those of the update
// RESET-NEXT:    at: spinnaker2.neurons "one/0"
// RESET-NEXT:    expected: lif_no_delay, reset_to_v_reset
// RESET-NEXT:    found: lif_no_delay, reset_by_subtraction
// RESET-NEXT:    help: compile the network again
