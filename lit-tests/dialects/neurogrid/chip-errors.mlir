// All neurons of a Neurocore have the same parameters. Two populations with other ones need two cores.
// RUN: mutate '/^  }$/{N;/neurogrid.core 1/d}' 's/1, 1, 1, 1\] : tensor<4xi32>>, synapse/0, 0, 0, 0] : tensor<4xi32>>, synapse/' %S/inputs/neurogrid.mlir > %t.mlir
// RUN: mutate 's/<0.01 :/<0.02 :/' '/two.0/s/column = #nopt.array<\[0, 1\]/column = #nopt.array<[2, 3]/' %t.mlir | nopt - -o /dev/null
// RUN: mutate '/two.0/s/column = #nopt.array<\[0, 1\]/column = #nopt.array<[2, 3]/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHARED
// SHARED:       error[DEV016]: classes of soma 2 exceed the limit 1
// SHARED:         expected: at most 1 {{.*}}(neurogrid/board, core.shared.soma.classes: {{.*}})
// SHARED-NEXT:    found: 2

// The same holds for the neurons of one population.
// RUN: mutate '/one.0. of/s/tau_s = #nopt.array<0.02 : tensor<f64>>/tau_s = #nopt.array<[0.02, 0.03] : tensor<2xf64>>/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHARED

// Each neuron of a core has a site of its own.
// RUN: mutate 's/<0.01 :/<0.02 :/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SITE
// SITE:         error[NGR005]: two neurons have one site
// SITE-NEXT:      at: neurogrid.somas "two/0"
// SITE-NEXT:      expected: a site of its own for each neuron of a core
// SITE-NEXT:      found: another
// SITE-NEXT:      help: compile the network again

// Sites are in the array of the Neurocore.
// RUN: mutate '/one.0. of/s/column = #nopt.array<\[0, 1\]/column = #nopt.array<[0, 255]/' %S/inputs/neurogrid.mlir | nopt - -o /dev/null
// RUN: mutate '/one.0. of/s/column = #nopt.array<\[0, 1\]/column = #nopt.array<[0, 256]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COLUMN
// RUN: mutate '/"fc1"/s/row = #nopt.array<\[0, 0, 0, 0\]/row = #nopt.array<[0, 0, 0, 255]/' %S/inputs/neurogrid.mlir | nopt - -o /dev/null
// RUN: mutate '/"fc1"/s/row = #nopt.array<\[0, 0, 0, 0\]/row = #nopt.array<[0, 0, 0, 256]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROW
// COLUMN:       error[NGR002]: a site does not exist
// COLUMN-NEXT:    at: neurogrid.somas "one/0"
// COLUMN-NEXT:    expected: at most 256 columns (neurogrid/board, features.columns: {{.*}})
// COLUMN-NEXT:    found: 257 columns
// COLUMN-NEXT:    help: compile the network again
// ROW:          error[NGR002]: a site does not exist
// ROW-NEXT:       at: neurogrid.terminals "fc1"
// ROW-NEXT:       expected: at most 256 rows

// A neuron has four synapse populations; a device may have fewer.
// RUN: mutate 's/machine.device/machine.set = ["features.synapse_populations=2"], machine.device/' %S/inputs/neurogrid.mlir | nopt - -o /dev/null
// RUN: mutate 's/machine.device/machine.set = ["features.synapse_populations=1"], machine.device/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SYNAPSES
// SYNAPSES:     error[NGR006]: a neuron has more synapse populations than the chip
// SYNAPSES-NEXT:  at: neurogrid.somas "one/0"
// SYNAPSES-NEXT:  expected: at most 1 synapse populations (neurogrid/board, features.synapse_populations: {{.*}})
// SYNAPSES-NEXT:  found: 2 synapse populations
// SYNAPSES-NEXT:  help: compile the network with --set features.synapse_populations=2

// The tables hold some events of each neuron: neuron 0 of the input sends 1 + 2.
// RUN: mutate 's/machine.device/machine.set = ["features.terminals=3"], machine.device/' %S/inputs/neurogrid.mlir | nopt - -o /dev/null
// RUN: mutate 's/machine.device/machine.set = ["features.terminals=2"], machine.device/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TABLE
// TABLE:        error[NGR007]: a neuron sends more events than its table has entries
// TABLE-NEXT:     at: neurogrid.input "x/0"
// TABLE-NEXT:     expected: at most 2 entries, one for each event (neurogrid/board, features.terminals: {{.*}})
// TABLE-NEXT:     found: 3 entries, one for each event
// TABLE-NEXT:     help: compile the network with --set features.terminals=3

// A spike sends up to 31 events to a site: 6 bits with the sign of a weight.
// RUN: mutate '/"fc1"/s/\[1, 2, 1, 1\]/[1, 31, 1, 1]/' %S/inputs/neurogrid.mlir | nopt - -o /dev/null
// RUN: mutate '/"fc1"/s/\[1, 2, 1, 1\]/[1, 32, 1, 1]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=EVENTS
// RUN: mutate '/"fc2"/s/\[1, 2, 1, 1\]/[1, 32, 1, 1]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BITS
// EVENTS:       error[NGR008]: a spike sends more events to a site than the device allows
// EVENTS-NEXT:    at: neurogrid.input "x/0"
// EVENTS-NEXT:    expected: at most 31 events (6 bits with the sign of a weight) (neurogrid/board, synapse.bits: {{.*}})
// EVENTS-NEXT:    found: 32 events (7 bits)
// EVENTS-NEXT:    help: compile the network again
// BITS:         error[DEV016]: weight bits 7 exceed the limit 6

// A Neurocore has 65,536 neurons, and the board 16 of them.
// RUN: mutate 's/machine.device/machine.set = ["core.neurons=2"], machine.device/' %S/inputs/neurogrid.mlir | nopt - -o /dev/null
// RUN: mutate 's/machine.device/machine.set = ["core.neurons=1"], machine.device/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEURONS
// RUN: mutate 's/x" at 0 attr/x" at 16 attr/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PLACE
// NEURONS:      error[DEV016]: neurons {{\d+}} exceed the limit {{\d+}}
// PLACE:        error[CHI003]: the device has no such core

// Terminals belong to neurons, cores and synapse populations that exist.
// RUN: mutate '/"fc1"/s/core = #nopt.array<\[0, 0, 0, 0\]/core = #nopt.array<[0, 0, 0, 2]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CORE
// RUN: mutate '/"fc1"/s/synapse = #nopt.array<\[0, 0, 1, 0\]/synapse = #nopt.array<[0, 0, 1, 2]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SYNAPSE
// RUN: mutate '/"fc1"/s/neuron = #nopt.array<\[0, 0, 1, 2\]/neuron = #nopt.array<[0, 0, 1, 3]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEURON
// CORE:         error[NGR002]: the core of a terminal does not exist
// CORE:           expected: one of 0, 1
// CORE-NEXT:      found: 2
// SYNAPSE:      error[NGR002]: the synapse of a terminal does not exist
// SYNAPSE:        expected: below 2 on core 0
// SYNAPSE-NEXT:   found: 2
// NEURON:       error[NGR002]: the neuron of a terminal does not exist
// NEURON:         expected: below 3
// NEURON-NEXT:    found: 3

// The step of the equations is the tick.
// RUN: mutate 's/tick_ns = 1000000/tick_ns = 500000/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TICK
// TICK:         error[CHI013]: the step of neurons is not the tick
// TICK:           expected: dt = 0.0005
// TICK-NEXT:      found: 0.001
