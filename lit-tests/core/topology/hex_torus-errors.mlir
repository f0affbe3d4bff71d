// RUN: mutate 's@DEVICE@, machine.device = "%S/../../passes/place/inputs/torus.json"@' %S/../../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=4","lif/3=17"},machine-route-edges' > %t.routed.mlir
// RUN: mutate '/machine.route "lif.2"/d' %t.routed.mlir > %t.lost.mlir
// RUN: exits 1 nopt %t.lost.mlir 2>&1 | filecheck %s --check-prefix=LOST
// RUN: mutate '/machine.route "lif.2"/s/2, 0/2, 6/' %t.routed.mlir > %t.out.mlir
// RUN: exits 1 nopt %t.out.mlir 2>&1 | filecheck %s --check-prefix=OUT
// RUN: mutate '/machine.route "lif.0"/s/0, 3\], \[2, 3/0, 3], [0, 0/' %t.routed.mlir > %t.dead.mlir
// RUN: exits 1 nopt %t.dead.mlir 2>&1 | filecheck %s --check-prefix=DEAD
// RUN: exits 2 nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=8"}' 2>&1 | filecheck %s --check-prefix=PIN

// A missing tree is reported for its edge.
// LOST: error[MCH009]: edge "lif/2" -> "lif/0" of "loop" is not delivered
// LOST: expected: a route from core 0 (0, 0, slot 0) of chip 2 to core 0 (0, 0, slot 0) of chip 0 for each of its 2 sources

// A router has the links 0 to 5.
// OUT:      error[MCH008]: a link leaves the device, from "lif/2"
// OUT:        found: hop 0 of 1: link 6 of position (0, 0) of chip 2

// Links that are declared as dead transport nothing.
// DEAD:     error[MCH008]: a link does not work, or leads out of the device, from "lif/0"
// DEAD:       expected: links between neighbours, each once, that lead away from the source
// DEAD:       found: hop 1 of 2: link 0 (E) of position (0, 0) of chip 0

// Chip 4 is dead: its cores are 8 and 9.
// PIN:      error[MAP005]: the core does not work, or is reserved
// PIN-NEXT:   at: pin="lif/0=8"
