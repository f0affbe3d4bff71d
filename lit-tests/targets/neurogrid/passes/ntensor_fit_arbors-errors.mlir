// A radius is 0 to 32 neurons, and one is above 0.
// RUN: exits 2 nopt %S/../inputs/row.mlir -p ntensor-fit-arbors 2>&1 | filecheck %s --check-prefix=NONE
// RUN: nopt %S/../inputs/row.mlir -p 'ntensor-fit-arbors{inhibitory=32.0}' -o /dev/null
// RUN: exits 2 nopt %S/../inputs/row.mlir -p 'ntensor-fit-arbors{inhibitory=33.0}' 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: exits 2 nopt %S/../inputs/row.mlir -p 'ntensor-fit-arbors{excitatory=1.0 max-events=128}' 2>&1 | filecheck %s --check-prefix=EVENTS
// NONE:       error[NGR016]: no arbor of the chip has this radius
// NONE-NEXT:    at: ntensor-fit-arbors
// NONE-NEXT:    expected: a radius above 0
// NONE-NEXT:    found: none
// NONE-NEXT:    help: nopt {{.*}}row.mlir -p 'ntensor-fit-arbors{inhibitory=2}'
// LARGE:      error[NGR016]
// LARGE-NEXT:   at: inhibitory=33
// LARGE-NEXT:   expected: 0 to 32 neurons
// LARGE-NEXT:   found: 33
// LARGE-NEXT:   help: nopt {{.*}}row.mlir -p 'ntensor-fit-arbors{inhibitory=32}'
// EVENTS:     error[NGR011]

// Synapses of two populations have one set of weights.
// RUN: mutate 's|  ntensor.output|  %other = ntensor.neuron "two" @cell(%y) {params = {}, initial = {}} : (tensor<5xf64>) -> tensor<5xi1>\n  ntensor.output|' %S/../inputs/row.mlir | exits 1 nopt - -p 'ntensor-fit-arbors{excitatory=1.0}' 2>&1 | filecheck %s --check-prefix=SHARED
// SHARED:     error[NGR009]: the weights of a population cannot be fitted by arbors
// SHARED-NEXT:  at: ntensor.neuron "row"
// SHARED-NEXT:  expected: synapses of its own
// SHARED-NEXT:  found: synapses of two populations
// SHARED-NEXT:  help: name another population: nodes=NODE

// An event of 15 parts has 5 bits with the sign of a weight. The device holds 6 bits, another one 4.
// RUN: mutate 's/tick_ns = 1000000/tick_ns = 1000000, machine.device = "neurogrid\/board"/' %S/../inputs/row.mlir | nopt - -p 'ntensor-fit-arbors{excitatory=1.0}' -o /dev/null
// RUN: rm -rf %t.d && mkdir %t.d && cp %S/../../../../targets/neurogrid/devices/neurogrid.neuron %t.d
// RUN: mutate 's/"i6"/"i4"/' 's/"value": 6,/"value": 4,/' 's/"name": "board"/"name": "small"/' %S/../../../../targets/neurogrid/devices/board.json > %t.d/small.json
// RUN: mutate 's|tick_ns = 1000000|tick_ns = 1000000, machine.device = "%t.d/small.json"|' %S/../inputs/row.mlir | exits 1 nopt - -p 'ntensor-fit-arbors{excitatory=1.0}' 2>&1 | filecheck %s --check-prefix=PARTS
// PARTS:      error[NGR009]
// PARTS:        expected: at most 7 parts of events from one source to one neuron
// PARTS-NEXT:   found: more
// PARTS-NEXT:   help: round the weights to numbers of events, in place of arbors
