// RUN: mutate 's@DEVICE@, machine.device = "%S/../../passes/place/inputs/torus.json"@' %S/../../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=4","lif/3=17"},machine-route-edges,machine-make-tables' > %t.tables.mlir
// RUN: mutate '/machine.table 0/s/8, 128/8, 384/' %t.tables.mlir > %t.core.mlir
// RUN: exits 1 nopt %t.core.mlir 2>&1 | filecheck %s --check-prefix=CORE
// RUN: mutate '/machine.table 0/s/8, 128/8, 640/' %t.tables.mlir > %t.none.mlir
// RUN: exits 1 nopt %t.none.mlir 2>&1 | filecheck %s --check-prefix=NONE
// RUN: mutate '/machine.table 0/s/8, 128/9, 128/' %t.tables.mlir > %t.dead.mlir
// RUN: exits 1 nopt %t.dead.mlir 2>&1 | filecheck %s --check-prefix=DEAD
// RUN: mutate '/machine.table 2/s/136, 1/137, 1/' %t.tables.mlir > %t.twice.mlir
// RUN: exits 1 nopt %t.twice.mlir 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: mutate '/machine.table 0/d' %t.tables.mlir > %t.lost.mlir
// RUN: exits 1 nopt %t.lost.mlir 2>&1 | filecheck %s --check-prefix=LOST
// RUN: mutate '/machine.table 0/s/mask = #nopt.array<.4294967294/mask = #nopt.array<[4294967295/' %t.tables.mlir > %t.split.mlir
// RUN: exits 1 nopt %t.split.mlir 2>&1 | filecheck %s --check-prefix=SPLIT
// RUN: mutate '/machine.key "lif.1"/s/key = 2/key = 0/' %t.tables.mlir > %t.same.mlir
// RUN: exits 1 nopt %t.same.mlir 2>&1 | filecheck %s --check-prefix=SAME
// RUN: mutate '/machine.key "lif.1"/s/key = 2/key = 3/' %t.tables.mlir > %t.odd.mlir
// RUN: exits 1 nopt %t.odd.mlir 2>&1 | filecheck %s --check-prefix=ODD
// RUN: mutate '/machine.key "lif.1"/s/67294/67295/' %t.tables.mlir > %t.small.mlir
// RUN: exits 1 nopt %t.small.mlir 2>&1 | filecheck %s --check-prefix=SMALL
// RUN: mutate '/machine.key "lif.1"/d' %t.tables.mlir > %t.keyless.mlir
// RUN: exits 1 nopt %t.keyless.mlir 2>&1 | filecheck %s --check-prefix=KEYLESS
// RUN: mutate 's/machine.table 0/machine.table 9/' %t.tables.mlir > %t.out.mlir
// RUN: exits 1 nopt %t.out.mlir 2>&1 | filecheck %s --check-prefix=OUT

// The spikes of lif/2 are for core 0 of chip 0, whose processor is 1.
// CORE: error[MCH016]: a key reaches a core without its targets
// NONE: error[MCH016]: a key reaches a processor without a core
// NONE:   expected: processors 1 to 2 of position (0, 0) of chip 0
// NONE:   found: processor 3
// Link 0 of chip 0 is dead.
// DEAD: error[MCH016]: link 0 does not work, or leads out of the device
// Chip 2 sends the spikes of lif/0 back to chip 0.
// TWICE: error[MCH016]: a key enters a router twice
// LOST: error[MCH016]: no entry matches a key at its source
// One of the two keys of lif/0 has another route.
// SPLIT: error[MCH016]: keys of one vertex have different routes
// SAME: error[MCH015]: two vertices have common keys
// ODD: error[MCH015]: a key has bits outside of its mask
// SMALL: error[MCH015]: a block of keys is too small
// KEYLESS: error[MCH015]: the vertex has no keys
// OUT: error[MCH015]: the device has no such router
