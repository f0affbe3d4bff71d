// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=4"], KEPT@' %S/inputs/cliques.mlir > %t.mlir
// RUN: mutate 's@KEPT@machine.kept = {device = "asic/edge", file = "m.json", moved = [], layers = [{node = "lif", boxes = #nopt.array<[[[0, 2]], [[2, 4]], [[4, 6]], [[6, 8]]] : tensor<4x1x2xi64>>, places = #nopt.array<[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0]] : tensor<4x4xi64>>}]}@' %t.mlir > %t.room.mlir
// RUN: not nopt %t.room.mlir -p machine-place-vertices 2>&1 | filecheck %s --check-prefix=ROOM
// RUN: mutate 's@KEPT@machine.kept = {device = "asic/edge", file = "m.json", moved = ["a"], layers = [{node = "lif", boxes = #nopt.array<[[[0, 2]], [[2, 4]], [[4, 6]], [[6, 8]]] : tensor<4x1x2xi64>>, places = #nopt.array<[[0, 0, 0, 0], [0, 0, 0, 0], [0, 5, 0, 0], [0, 1, 1, 0]] : tensor<4x4xi64>>}]}@' %t.mlir > %t.mesh.mlir
// RUN: not nopt %t.mesh.mlir -p machine-place-vertices 2>&1 | filecheck %s --check-prefix=MESH
// RUN: mutate 's@KEPT@machine.kept = {device = "asic/edge", file = "m.json", moved = [], layers = [{node = "lif"}]}@' %t.mlir > %t.bad.mlir
// RUN: not nopt %t.bad.mlir -p machine-place-vertices 2>&1 | filecheck %s --check-prefix=BAD

// Three vertices of two neurons on one core of four.
// ROOM:      error[MAP030]: "lif" cannot keep its mapping of m.json: the core has no room for all vertices that are pinned to it
// ROOM-NEXT:   at: machine.population "lif", vertex "lif/2"
// ROOM-NEXT:   expected: at most the limit core.neurons
// ROOM-NEXT:   found: core 0 of the earlier mapping
// ROOM-NEXT:   help: {{.*}}ntensor-keep-mapping{mapping="m.json" move=lif}

// The mesh has two columns. Layers that move already are in the help.
// MESH:      error[MAP030]: "lif" cannot keep its mapping of m.json: the device has no core at chip 0, x 5, y 0
// MESH-NEXT:   at: machine.population "lif", vertex "lif/2"
// MESH-NEXT:   expected: one of 4 cores
// MESH-NEXT:   found: a core of the earlier mapping
// MESH-NEXT:   help: {{.*}}ntensor-keep-mapping{mapping="m.json" move=a,lif}

// BAD:      error[MCH018]: machine.kept is invalid
// BAD-NEXT:   at: machine.graph
// BAD-NEXT:   expected: device, file, moved and layers
