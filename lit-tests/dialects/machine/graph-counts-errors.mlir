// RUN: nopt %S/inputs/routed.mlir -o /dev/null
// RUN: mutate 's/ticks = #nopt.array<1 :/ticks = #nopt.array<9 :/' 's/\[1, 1\] : tensor<2xi64>/[9, 9] : tensor<2xi64>/' 's/delay = 1 :/delay = 9 :/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=DELAY
// RUN: mutate 's/ticks = #nopt.array<1 :/ticks = #nopt.array<0 :/' 's/\[1, 1\] : tensor<2xi64>/[0, 0] : tensor<2xi64>/' 's/delay = 1 :/delay = 0 :/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=EARLY
// RUN: mutate 's/ntensor.linear "rec" %d {.*3x3xi8>>/ntensor.sparse_linear "rec" %d {plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>, weight = #nopt.array<[2, 2, 1] : tensor<3xi8>>, source = #nopt.array<[0, 2, 2] : tensor<3xi32>>, target = #nopt.array<[2, 0, 1] : tensor<3xi32>>/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=STDP
// RUN: mutate 's/ntensor.quantized<4/ntensor.quantized<8/' 's/weight_bits = 4/weight_bits = 8/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=BITS
// RUN: mutate '/machine.edge "fc1" : "input.0" -> "lif1.1"/d' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=EDGE
// RUN: mutate '/machine.edge "rec" : "lif1.0"/{p; s/-> "lif1.1"/-> "lif1\/0"/}' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=EXTRA
// RUN: mutate '/machine.edge "rec" : "lif1.0"/p' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: mutate 's/\["fc1", "rec"\]/["fc1", "rec", "fc1"]/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=ADDED
// RUN: mutate 's/synapses = 5 : i64, fan_in = 3/synapses = 1 : i64, fan_in = 1/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=NEEDS
// RUN: mutate 's/synapse_bytes = 3/synapse_bytes = 1/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=MEMORY
// RUN: mutate 's/synapse_bytes = 3/axon_bytes = 3/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: mutate '/"input.0" -> "lif1.0"/s/\[0, 0\] : tensor<2xi64>/[7, 7] : tensor<2xi64>/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=TICKS
// RUN: mutate '/"input.0" -> "lif1.0"/s/axons = 2/axons = 1/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=AXONS
// RUN: mutate '/"input.0" -> "lif1.0"/s/synapses = 3/synapses = 4/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=SYNAPSES
// RUN: mutate '/"input.0" -> "lif1.1"/s/sources = #nopt.array<\[1\]/sources = #nopt.array<[0]/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=SOURCES
// RUN: mutate 's/\[1, 2\], \[0, 4\]/[0, 2], [0, 4]/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=WEIGHTS
// RUN: mutate '/machine.vertex "lif1.1"/d' '/"lif1.1"/d' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=VERTEX
// RUN: mutate 's/#nopt.array<\[\[2, 3\]\]/#nopt.array<[[1, 3]]/' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=OVERLAP
// RUN: mutate 's/tick_ns/machine.set = ["core.fan_in=2"], tick_ns/' 's/needs = {[^}]*}, //' %S/inputs/routed.mlir > %t.mlir
// RUN: not nopt %t.mlir 2>&1 | filecheck %s --check-prefix=LIMIT

// Hand-edits of a routed graph. No declared number is trusted: counts follow from projections and slices.

// A delay in a projection counts: 9 ticks, and the device delivers after 1.
// DELAY: error[DEV016]: delay 9 exceeds the limit 1
// DELAY-NEXT:   at: machine.projection "rec"
// DELAY-NEXT:   expected: at most 1 tick (asic/edge, synapse.delay.max: synthetic, for tests; not available in silicon)
// DELAY-NEXT:   found: 9 ticks
// DELAY-NEXT:   help: map the network again, with ntensor-legalize before convert-ntensor-to-machine

// Every spike between populations takes at least 1 tick.
// EARLY: error[MCH013]: delay below the minimum of asic/edge
// EARLY-NEXT:   at: machine.projection "rec"
// EARLY-NEXT:   expected: at least 1 ticks (asic/edge, synapse.delay.min: synthetic, for tests; not available in silicon)
// EARLY-NEXT:   found: 0 ticks
// EARLY-NEXT:   help: map the network again, with ntensor-legalize before convert-ntensor-to-machine

// The device does not learn.
// STDP: error[MCH013]: asic/edge does not have this learning rule
// STDP-NEXT:   at: machine.projection "rec"
// STDP-NEXT:   expected: weights without a rule (asic/edge, plasticity)
// STDP-NEXT:   found: nir.stdp
// STDP-NEXT:   help: map the network again, with ntensor-freeze-plasticity before convert-ntensor-to-machine

// Weights of 8 bits on a device that stores 4.
// BITS: error[DEV016]: weight bits 8 exceed the limit 4
// BITS-NEXT:   at: machine.projection "fc1"
// BITS-NEXT:   expected: at most 4 bits (asic/edge, synapse.bits: synthetic, for tests; not available in silicon)
// BITS-NEXT:   found: 8 bits
// BITS-NEXT:   help: map the network again, with ntensor-legalize before convert-ntensor-to-machine

// A deleted edge.
// EDGE: error[MCH012]: no edge from "input/0" to "lif1/1"
// EDGE-NEXT:   at: machine.projection "fc1"
// EDGE-NEXT:   expected: an edge with synapses = 1
// EDGE-NEXT:   found: none
// EDGE-NEXT:   help: map the network again with convert-ntensor-to-machine

// An edge without a synapse, between vertices that a projection connects: no neuron of lif1/0 reaches its own slice.
// EXTRA: error[MCH012]: an edge without synapses
// EXTRA-NEXT:   at: machine.edge "rec" : "lif1/0" -> "lif1/0"
// EXTRA-NEXT:   expected: synapses = 1 or more
// EXTRA-NEXT:   found: no synapse in the projection
// EXTRA-NEXT:   help: remove the edge

// A doubled edge.
// TWICE: error[MCH001]: an edge is defined twice
// TWICE-NEXT:   at: machine.edge
// TWICE-NEXT:   found: "lif1/0" -> "lif1/1" twice
// TWICE-NEXT:   help: merge the two edges

// A projection that is added twice.
// ADDED: error[MCH001]: "fc1" is added twice
// ADDED-NEXT:   at: machine.population "lif1"
// ADDED-NEXT:   help: define a second projection with another name

// False needs of a vertex; the notes list the others.
// NEEDS: error[MCH011]: declared synapses differs from the graph
// NEEDS-NEXT:   at: machine.vertex "lif1/0"
// NEEDS-NEXT:   expected: synapses = 5, counted in the graph
// NEEDS-NEXT:   found: synapses = 1
// NEEDS-NEXT:   help: map the network again with convert-ntensor-to-machine
// NEEDS-NEXT:   note: fan_in = 1, counted 3

// False memory.
// MEMORY: error[MCH011]: declared synapse_bytes differs from the graph
// MEMORY-NEXT:   at: machine.vertex "lif1/0"
// MEMORY-NEXT:   expected: synapse_bytes = 3, counted in the graph
// MEMORY-NEXT:   found: synapse_bytes = 1
// MEMORY-NEXT:   help: map the network again with convert-ntensor-to-machine

// A need that the device does not have.
// UNKNOWN: error[MCH011]: declared axon_bytes differs from the graph
// UNKNOWN-NEXT:   at: machine.vertex "lif1/0"
// UNKNOWN-NEXT:   expected: no such need
// UNKNOWN-NEXT:   found: axon_bytes = 3
// UNKNOWN-NEXT:   help: map the network again with convert-ntensor-to-machine

// False delays of an edge.
// TICKS: error[MCH011]: declared delays differ from the graph
// TICKS-NEXT:   at: machine.edge "fc1" : "input/0" -> "lif1/0"
// TICKS-NEXT:   expected: [0, 0], counted in the projection
// TICKS-NEXT:   found: [7, 7]
// TICKS-NEXT:   help: map the network again with convert-ntensor-to-machine

// False axons of an edge.
// AXONS: error[MCH011]: declared axons differ from the graph
// AXONS-NEXT:   at: machine.edge "fc1" : "input/0" -> "lif1/0"
// AXONS-NEXT:   expected: 2, counted in the projection
// AXONS-NEXT:   found: 1
// AXONS-NEXT:   help: map the network again with convert-ntensor-to-machine

// False synapses of an edge.
// SYNAPSES: error[MCH011]: declared synapses differ from the graph
// SYNAPSES-NEXT:   at: machine.edge "fc1" : "input/0" -> "lif1/0"
// SYNAPSES-NEXT:   expected: 3, counted in the projection
// SYNAPSES-NEXT:   found: 4
// SYNAPSES-NEXT:   help: map the network again with convert-ntensor-to-machine

// Sources of an edge that are not those of its synapses.
// SOURCES: error[MCH011]: declared sources differ from the graph
// SOURCES-NEXT:   at: machine.edge "fc1" : "input/0" -> "lif1/1"
// SOURCES-NEXT:   expected: [1], counted in the projection
// SOURCES-NEXT:   found: [0]
// SOURCES-NEXT:   help: map the network again with convert-ntensor-to-machine

// A weight that is deleted deletes a synapse.
// WEIGHTS: error[MCH011]: declared synapses differ from the graph
// WEIGHTS-NEXT:   at: machine.edge "fc1" : "input/0" -> "lif1/0"
// WEIGHTS-NEXT:   expected: 2, counted in the projection
// WEIGHTS-NEXT:   found: 3
// WEIGHTS-NEXT:   help: map the network again with convert-ntensor-to-machine

// A deleted vertex.
// VERTEX: error[MCH003]: neurons are in no slice
// VERTEX-NEXT:   at: machine.population "lif1"
// VERTEX-NEXT:   expected: 3 neurons
// VERTEX-NEXT:   found: 2 in 1 slices
// VERTEX-NEXT:   help: plan the network again: ntensor-plan-cores

// Overlapping slices.
// OVERLAP: error[MCH003]: two slices overlap
// OVERLAP-NEXT:   at: machine.population "lif1"
// OVERLAP-NEXT:   expected: each neuron in one slice
// OVERLAP-NEXT:   found: "lif1/0" and "lif1/1"
// OVERLAP-NEXT:   help: plan the network again: ntensor-plan-cores

// Needs that are not declared are compared with the limits.
// LIMIT: error[DEV016]: fan-in 3 exceeds the limit 2
// LIMIT-NEXT:   at: machine.vertex "lif1/0"
// LIMIT-NEXT:   expected: at most 2 synapses (asic/edge, core.fan_in: set by the user)
// LIMIT-NEXT:   found: 3 synapses
// LIMIT-NEXT:   help: map the network again, with ntensor-plan-cores before convert-ntensor-to-machine
