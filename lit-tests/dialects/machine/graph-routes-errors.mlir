// Links of other topologies than a mesh. The verifier asks the topology of the device.
// RUN: mutate 's@DEVICE@, machine.device = "%S/../../passes/place/inputs/crossbar.json"@' %S/../../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' > %t.crossbar.mlir

// A core has no link to itself.
// RUN: mutate 's/\[\[3, 0\]\]/[[3, 3]]/' %t.crossbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OWN
// OWN:      error[MCH008]: a link does not connect neighbours, from "lif/2"
// OWN-NEXT:   at: machine.route
// OWN-NEXT:   expected: links between neighbours, each once, that lead away from the source
// OWN-NEXT:   found: hop 0 of 1: core 1 of chip 1 to core 1 of chip 1
// OWN-NEXT:   help: route the graph again

// A link must start at a core that the tree reaches.
// RUN: mutate 's/\[\[3, 0\]\]/[[2, 0]]/' %t.crossbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=START
// START:      error[MCH009]: edge "lif/2" -> "lif/0" of "loop" is not delivered
// START-NEXT:   at: machine.edge
// START-NEXT:   expected: a route from core 1 of chip 1 to core 0 of chip 0 for each of its 2 sources
// START-NEXT:   found: none for 2 of them, the first at index 0: hop 0 of 1, core 1 of chip 1 to core 0 of chip 0
// START-NEXT:   help: route the graph again

// A link of a mesh is none here.
// RUN: mutate 's/\[\[3, 0\]\] : tensor<1x2xi16>/[[1, 1, 0, 1]] : tensor<1x4xi16>/' %t.crossbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MESH
// MESH:      error[MCH008]: a link has another form, from "lif/2"
// MESH-NEXT:   at: machine.route
// MESH-NEXT:   expected: [links, 2] of [core, next core]
// MESH-NEXT:   found: hop 0 of 1: [1, 1, 0, 1]

// The bus is the only link, and a tree uses it once.
// RUN: mutate 's@DEVICE@, machine.device = "asic/bus"@' %S/../../passes/place/inputs/cliques.mlir > %t.one.mlir
// RUN: nopt %t.one.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' > %t.bus.mlir
// RUN: mutate 's/"lif\/2" {links = #nopt.array<\[\[0\]\] : tensor<1x1xi16>>/"lif\/2" {links = #nopt.array<[[0], [0]] : tensor<2x1xi16>>/' %t.bus.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: mutate 's/"lif\/2" {links = #nopt.array<\[\[0\]\] : tensor<1x1xi16>>/"lif\/2" {links = #nopt.array<[[1]] : tensor<1x1xi16>>/' %t.bus.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: mutate '/machine.route "lif\/2"/d' %t.bus.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SILENT
// TWICE:       error[MCH008]: the bus is used twice, from "lif/2"
// TWICE:         found: hop 1 of 2: the bus
// OTHER:       error[MCH008]: a link leaves the device, from "lif/2"
// SILENT:      error[MCH009]: edge "lif/2" -> "lif/0" of "loop" is not delivered
// SILENT:        found: none for 2 of them, the first at index 0: hop 0 of 1, core 3 to core 0

// Two cores at each position: the route to the other core of a position has no links, but it must exist.
// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["topology.mesh.width=1", "topology.mesh.cores=2", "core.shared.thresholds.classes=3"]@' %S/../../passes/place/inputs/cliques.mlir > %t.two.mlir
// RUN: nopt %t.two.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=1","lif/3=3"},machine-route-edges' > %t.joint.mlir
// RUN: mutate '/machine.route "lif\/2"/d' %t.joint.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=JOINT
// JOINT:      error[MCH009]: edge "lif/2" -> "lif/0" of "loop" is not delivered
// JOINT-NEXT:   at: machine.edge
// JOINT-NEXT:   expected: a route from core 1 (0, 0, slot 1) to core 0 (0, 0, slot 0) for each of its 2 sources
// JOINT-NEXT:   found: none for 2 of them, the first at index 0: hop 0 of 1, core 1 (0, 0, slot 1) to core 0 (0, 0, slot 0)
// JOINT-NEXT:   help: route the graph again

// Without links, a route does not reach another position.
// RUN: mutate 's/\[\[0, 0, 0, 1\]\] : tensor<1x4xi16>/"0x" : tensor<0x4xi16>/' 's/\[\[1, 1\], \[0, 1\]\]/[[0, 1], [0, 1]]/' %t.joint.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=APART
// APART:      error[MCH009]: edge "lif/0" -> "lif/1" of "loop" is not delivered
// APART:        found: none for 1 of them, the first at index 0: hop 0 of 1, core 0 (0, 0, slot 0) to core 2 (0, 1, slot 0)

// A link that leads back to the position of the source reaches its cores twice.
// RUN: mutate 's/\[\[0, 0, 0, 1\]\] : tensor<1x4xi16>/[[0, 0, 0, 1], [0, 1, 0, 0]] : tensor<2x4xi16>/' 's/\[\[1, 1\], \[0, 1\]\]/[[2, 1], [0, 1]]/' %t.joint.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BACK
// BACK:       error[MCH008]: a core is reached twice, from "lif/0"
// BACK:         found: hop 1 of 2: (0, 1) to (0, 0), in tree 0 of 2

// Arrays of a route with other sizes than its trees, and neurons that the vertex does not have.
// RUN: mutate 's/\[\[1, 1\], \[0, 1\]\]/[[2, 1], [0, 1]]/' %t.joint.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SIZES
// SIZES:      error[MCH005]: the number of links is invalid
// SIZES-NEXT:   at: machine.route
// SIZES-NEXT:   expected: 2, the sum over trees
// SIZES-NEXT:   found: 1
// RUN: mutate 's/\[1.0, 1.0\] : tensor<2xf64>/[2.0] : tensor<1xf64>/' %t.joint.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=EVENTS
// EVENTS:     error[MCH005]: activity is invalid
// EVENTS:       expected: reals, [2]
// RUN: mutate 's/neurons = #nopt.array<\[0, 1\] : tensor<2xi32>>}/neurons = #nopt.array<[0, 7] : tensor<2xi32>>}/' %t.joint.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=USERS
// USERS:      error[MCH005]: neurons are not those of "lif/0"
// USERS:        expected: indices below 2
// USERS:        found: 7
// RUN: mutate 's/\[\[1, 1\], \[0, 1\]\] : tensor<2x2xi32>/[1, 1] : tensor<2xi32>/' %t.joint.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FLAT
// FLAT:       error[MCH005]: trees is invalid
// FLAT:         expected: integers from 0, [n, 2]
