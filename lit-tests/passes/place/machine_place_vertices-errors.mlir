// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=4"]@' %S/inputs/cliques.mlir > %t.mlir
// RUN: not nopt %t.mlir -p 'machine-place-vertices{pin="lif/9=0"}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not nopt %t.mlir -p 'machine-place-vertices{pin="lif/1=4"}' 2>&1 | filecheck %s --check-prefix=CORE
// RUN: not nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=3","lif/1=3","lif/2=3"}' 2>&1 | filecheck %s --check-prefix=ROOM
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/2=0"}'
// RUN: mutate 's@DEVICE@, machine.device = "%S/inputs/faulty.json"@' %S/inputs/cliques.mlir > %t.faulty.mlir
// RUN: not nopt %t.faulty.mlir -p 'machine-place-vertices{pin="lif/1=1"}' 2>&1 | filecheck %s --check-prefix=FAULTY
// RUN: mutate 's@DEVICE@, machine.device = "%S/inputs/torus.json"@' %S/inputs/cliques.mlir > %t.dead.mlir
// RUN: not nopt %t.dead.mlir -p 'machine-place-vertices{pin="in/0=8"}' 2>&1 | filecheck %s --check-prefix=ENTRY
// RUN: nopt %t.dead.mlir -p 'machine-place-vertices{pin="in/0=0"}',machine-route-edges,machine-make-tables -o /dev/null

// NAME: error[MAP005]: a pin names a vertex and a core
// NAME-NEXT:   at: pin="lif/9=0"
// NAME-NEXT:   expected: VERTEX=CORE, with one of in/0, lif/0, lif/1, lif/2, lif/3
// NAME-NEXT:   found: lif/9=0
// NAME-NEXT:   help: nopt {{.*}}machine_place_vertices-errors.mlir.tmp.mlir -p 'machine-place-vertices{pin="lif/3=0"}'
// NAME-NEXT:   note: near matches: lif/3, lif/2, lif/1, lif/0

// CORE: error[MAP005]: the device has no such core
// CORE-NEXT:   at: pin="lif/1=4"
// CORE-NEXT:   expected: a core from 0 to 3
// CORE-NEXT:   found: core 4

// Four neurons fit, six do not.
// ROOM: error[MAP005]: the core has no room for all vertices that are pinned to it
// ROOM-NEXT:   at: pin="lif/2=3"
// ROOM-NEXT:   expected: at most the limit core.neurons
// ROOM-NEXT:   found: core 3
// ROOM-NEXT:   help: nopt {{.*}}machine_place_vertices-errors.mlir.tmp.mlir -p 'machine-place-vertices{pin="lif/2=0"}'

// FAULTY: error[MAP005]: the core does not work, or is reserved
// FAULTY-NEXT:   at: pin="lif/1=1"

// Cores 8 and 9 are those of chip 4, which is dead.
// ENTRY: error[MAP005]: spikes cannot enter there, as no path leads to the cores
// ENTRY-NEXT:   at: pin="in/0=8"
// ENTRY-NEXT:   expected: a core whose router works
// ENTRY-NEXT:   found: core 8
// ENTRY-NEXT:   help: nopt {{.*}}machine_place_vertices-errors.mlir.tmp.dead.mlir -p 'machine-place-vertices{pin="in/0=0"}'
