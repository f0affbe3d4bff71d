// A table may have weights of both signs only where the device has such a table. Here 3 and -7 are in one table.
// RUN: mutate 's/asic\/mesh/asic\/host/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SIGNS
// RUN: mutate 's/asic\/mesh/asic\/host/' 's/\[\[3, -7\], \[0, 5\]\]/[[-3, -7], [0, -5]]/' %S/inputs/chip.mlir | nopt - -o /dev/null
// SIGNS:      error[ASI008]: asic/host has no table for the signs of these weights
// SIGNS-NEXT:   at: asic.dense "fc1"
// SIGNS-NEXT:   expected: excitatory or inhibitory (asic/host, synapse.sign_modes)
// SIGNS-NEXT:   found: mixed
// SIGNS-NEXT:   help: compile the network again

// A table may have an exponent of weights only where the device has one, and only within its range.
// RUN: mutate 's/: tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}/: tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, weight_exponent = 1 : i64}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=EXPONENT
// EXPONENT:      error[CHI006]: exponent of weights that asic/mesh does not have
// EXPONENT-NEXT:   at: asic.dense "fc1"
// EXPONENT-NEXT:   expected: at least 0 and at most 0 (asic/mesh, synapse.weight_exponent)
// EXPONENT-NEXT:   found: 1
// EXPONENT-NEXT:   help: compile the network again
// RUN: mutate 's/asic\/mesh/asic\/kinds/' 's/\[\[3, -7\], \[0, 5\]\] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}/[[2, -6], [0, 4]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, weight_exponent = -1 : i64}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LEAST
// LEAST:      error[CHI006]: exponent of weights that asic/kinds does not have
// LEAST-NEXT:   at: asic.dense "fc1"
// LEAST-NEXT:   expected: at least 0 and at most 8 (asic/kinds, synapse.weight_exponent.min: synthetic, for tests; not available in silicon)
// LEAST-NEXT:   found: -1

// A destination must be a core of the chip.
// RUN: mutate 's/core = #nopt.array<\[0, 0, 2\]/core = #nopt.array<[0, 0, 3]/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PLACE
// PLACE:      error[CHI003]: a destination is not a core
// PLACE-NEXT:   at: asic.output_axons
// PLACE-NEXT:   expected: one of [0, 2]
// PLACE-NEXT:   found: 3
// PLACE-NEXT:   help: compile the network again

// A destination must be an input axon of its core.
// RUN: mutate 's/axon = #nopt.array<\[0, 1, 0\]/axon = #nopt.array<[0, 1, 1]/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXON
// AXON:      error[CHI003]: a destination is not an axon
// AXON-NEXT:   at: asic.output_axons
// AXON-NEXT:   expected: an axon below 1 of core 2
// AXON-NEXT:   found: 1
// AXON-NEXT:   help: compile the network again

// An input axon must have a sender.
// RUN: mutate 's/asic.core 2 attributes {axons = 1/asic.core 2 attributes {axons = 2/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SENDER
// SENDER:      error[CHI003]: an input axon has no sender
// SENDER-NEXT:   at: asic.core
// SENDER-NEXT:   expected: a sender for each input axon
// SENDER-NEXT:   found: none for axon 1
// SENDER-NEXT:   help: compile the network again

// The format of a table must have its layout.
// RUN: mutate 's/format = "dense"/format = "sparse"/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LAYOUT
// LAYOUT:      error[CHI004]: asic/mesh has no such format of synapses
// LAYOUT-NEXT:   at: asic.dense "fc1"
// LAYOUT-NEXT:   expected: a format with the layout dense: dense (asic/mesh, synapse.formats)
// LAYOUT-NEXT:   found: sparse
// LAYOUT-NEXT:   help: compile the network again

// The format of a table must be one of the device.
// RUN: mutate 's/format = "dense"/format = "compact"/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FORMAT
// FORMAT:      error[CHI004]: asic/mesh has no such format of synapses
// FORMAT-NEXT:   at: asic.dense "fc1"
// FORMAT-NEXT:   expected: a format with the layout dense: dense (asic/mesh, synapse.formats)
// FORMAT-NEXT:   found: compact
// FORMAT-NEXT:   help: compile the network again

// Weights must fit into the type of the format: -129 needs 9 bits, -128 needs 8.
// RUN: mutate 's/\[\[3, -7\], \[0, 5\]\] : tensor<2x2xi8>/[[3, -129], [0, 5]] : tensor<2x2xi16>/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=WIDE
// WIDE:      error[CHI004]: a weight is wider than the format dense
// WIDE-NEXT:   at: asic.dense "fc1"
// WIDE-NEXT:   expected: i8 (asic/mesh, synapse.formats.dense.dtype)
// WIDE-NEXT:   found: 9 bits
// WIDE-NEXT:   help: compile the network again

// A route must reach each core to which events are sent.
// RUN: mutate 's/\[\[0, 0, 1, 0\], \[1, 0, 2, 0\]\] : tensor<2x4xi64>/[[0, 0, 1, 0]] : tensor<1x4xi64>/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROUTE
// ROUTE:      error[ASI005]: an event is not delivered
// ROUTE-NEXT:   at: asic.input "input/0"
// ROUTE-NEXT:   expected: a route from core 0 (0, 0) to core 2 (2, 0)
// ROUTE-NEXT:   found: none for neuron 1
// ROUTE-NEXT:   help: compile the network again

// Links must connect neighbours.
// RUN: mutate 's/\[\[0, 0, 1, 0\], \[1, 0, 2, 0\]\] : tensor<2x4xi64>/[[0, 0, 2, 0]] : tensor<1x4xi64>/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LINK
// LINK:      error[ASI005]: a link does not connect neighbours
// LINK-NEXT:   at: asic.route "input/0"
// LINK-NEXT:   expected: a tree of links from its core
// LINK-NEXT:   found: link 0
// LINK-NEXT:   help: compile the network again

// Links must have the form of the topology.
// RUN: mutate 's/\[\[0, 0, 1, 0\], \[1, 0, 2, 0\]\] : tensor<2x4xi64>/[[0, 2]] : tensor<1x2xi64>/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FORM
// FORM:      error[ASI005]: a link has another form
// FORM-NEXT:   at: asic.route "input/0"
// FORM-NEXT:   expected: [links, 4] of [x, y, next x, next y], or [links, 6] with the chip before x
// FORM-NEXT:   found: link 0
// FORM-NEXT:   help: compile the network again

// The core at which an input enters must exist: the device has 36.
// RUN: mutate 's/at 0 attr/at 36 attr/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ENTRY
// ENTRY:      error[CHI003]: the device has no such core
// ENTRY-NEXT:   at: asic.input "input/0"
// ENTRY-NEXT:   expected: a usable core below 36
// ENTRY-NEXT:   found: 36
// ENTRY-NEXT:   help: compile the network again

// A delay between neurons must not be shorter than the device has; inputs can be sent early.
// RUN: mutate 's/"asic\/mesh"/"asic\/mesh", machine.set = ["synapse.delay.min=2"]/' 's/asic.route/asic.route "lif1\/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>}\n  asic.route/' 's/: tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}/&\n      asic.output_axons {neuron = #nopt.array<[0] : tensor<1xi32>>, core = #nopt.array<[2] : tensor<1xi32>>, axon = #nopt.array<[0] : tensor<1xi32>>}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=EARLY
// EARLY:      error[CHI005]: delay below the minimum of asic/mesh
// EARLY-NEXT:   at: asic.sparse "fc1"
// EARLY-NEXT:   expected: at least 2 ticks (asic/mesh, synapse.delay.min: set by the user)
// EARLY-NEXT:   found: 1 tick
// EARLY-NEXT:   help: compile the network again

// Four cores at each position: core 2 shares the router of core 0, but events for it need a route of their own, which has no links.
// RUN: mutate 's@machine.device = "asic/mesh"@&, machine.set = ["topology.mesh.width=3", "topology.mesh.height=3", "topology.mesh.cores=4"]@' %S/inputs/chip.mlir > %t.four.mlir
// RUN: mutate 's/\[\[0, 0, 1, 0\], \[1, 0, 2, 0\]\] : tensor<2x4xi64>/"0x" : tensor<0x4xi64>/' %t.four.mlir | nopt - -o /dev/null
// RUN: mutate '/asic.route/d' %t.four.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=JOINT
// JOINT:      error[ASI005]: an event is not delivered
// JOINT-NEXT:   at: asic.input "input/0"
// JOINT-NEXT:   expected: a route from core 0 (0, 0, slot 0) to core 2 (0, 0, slot 2)
// JOINT-NEXT:   found: none for neuron 1

// Core 4 is at the next position, which a route without links does not reach.
// RUN: mutate 's/core = #nopt.array<.0, 0, 2./core = #nopt.array<[0, 0, 4]/' 's/asic.core 2/asic.core 4/' %t.four.mlir > %t.next.mlir
// RUN: nopt %t.next.mlir -o /dev/null
// RUN: mutate 's/\[\[0, 0, 1, 0\], \[1, 0, 2, 0\]\] : tensor<2x4xi64>/"0x" : tensor<0x4xi64>/' %t.next.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEXT
// NEXT:       error[ASI005]: an event is not delivered
// NEXT:         expected: a route from core 0 (0, 0, slot 0) to core 4 (1, 0, slot 0)
