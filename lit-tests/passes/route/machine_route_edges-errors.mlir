// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3"]@' %S/../place/inputs/cliques.mlir > %t.mlir
// RUN: not nopt %t.mlir -p 'machine-route-edges' 2>&1 | filecheck %s
// RUN: nopt %t.mlir -p 'machine-place-vertices,machine-route-edges'
// RUN: mutate 's@DEVICE@, machine.device = "%S/../place/inputs/column.json"@' %S/../place/inputs/cliques.mlir > %t.column.mlir
// RUN: not nopt %t.column.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=1","lif/2=0","lif/3=0"}' 2>&1 | filecheck %s --check-prefix=CORE
// RUN: nopt %t.column.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"}' > %t.placed.mlir
// RUN: not nopt %t.placed.mlir -p 'machine-route-edges' 2>&1 | filecheck %s --check-prefix=ENTRIES
// RUN: nopt %t.placed.mlir -p 'machine-place-vertices{seed=1},machine-route-edges'

// CHECK: error[MAP007]: the graph is not placed
// CHECK-NEXT:   at: machine.graph @cliques
// CHECK-NEXT:   expected: stage placed
// CHECK-NEXT:   found: stage partitioned
// CHECK-NEXT:   help: nopt {{.*}}machine_route_edges-errors.mlir.tmp.mlir -p machine-place-vertices,machine-route-edges

// CORE: error[MAP005]: the core has no room for all vertices that are pinned to it

// Routers with two entries each, and all vertices two links apart.
// ENTRIES: error[MAP008]: more routes pass the router of core {{[0-3]}} ({{[01], [01]}}) than it holds
// ENTRIES-NEXT:   at: machine.graph @cliques
// ENTRIES-NEXT:   expected: at most 2 entries (asic/column, topology.routers.entries: made for tests, no silicon)
// ENTRIES-NEXT:   found: {{[0-9]+}} entries
// ENTRIES-NEXT:   help: nopt check {{.*}}machine_route_edges-errors.mlir.tmp.placed.mlir --target auto

// The activity of "lif" was observed, and its 8 events do not fit on the bus.
// RUN: mutate 's@DEVICE@, machine.device = "asic/bus", machine.set = ["topology.bus.events_per_tick=7"]@' %S/../place/inputs/cliques.mlir > %t.bus.mlir
// RUN: mutate 's/{params = {}, initial = {}}/{params = {}, initial = {}, ntensor.observed = {rate = 1.0 : f64}}/' %t.bus.mlir > %t.observed.mlir
// RUN: not nopt %t.observed.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' 2>&1 | filecheck %s --check-prefix=LOAD
// LOAD: error[MAP009]: more events use the bus than it carries
// LOAD-NEXT:   at: machine.graph @cliques
// LOAD-NEXT:   expected: at most 7 events per tick (asic/bus, topology.bus.events_per_tick: set by the user)
// LOAD-NEXT:   found: 8 events per tick
// LOAD-NEXT:   help: nopt {{.*}}ntensor-plan-cores{device="asic/bus" set="topology.bus.events_per_tick=8"},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges

// Without an observation, 8 events are the largest possible load, so it is not checked.
// RUN: nopt %t.bus.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' -o %t.routed.mlir 2>&1 | filecheck %s --check-prefix=ASSUMED
// ASSUMED: remark[MAP010]: the load of the bus is not checked
// ASSUMED-NEXT:   at: machine.graph @cliques
// ASSUMED-NEXT:   expected: at most 7 events per tick (asic/bus, topology.bus.events_per_tick: set by the user)
// ASSUMED-NEXT:   found: up to 8, if each neuron of lif sends one event per tick
// ASSUMED-NEXT:   help: nopt {{.*}}machine_route_edges-errors.mlir.tmp.bus.mlir -p 'ntensor-calibrate{data="x.npy"},machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' -o {{.*}}machine_route_edges-errors.mlir.tmp.routed.mlir

// The entries of the cores at one position are added, also of routes without links: three of lif/0, whose router cannot copy a spike, and one of lif/2.
// RUN: mutate 's@DEVICE@, machine.device = "%S/../place/inputs/column.json", machine.set = ["topology.mesh.width=1", "topology.mesh.cores=2"]@' %S/../place/inputs/cliques.mlir > %t.two.mlir
// RUN: not nopt %t.two.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=1","lif/3=3"},machine-route-edges' 2>&1 | filecheck %s --check-prefix=JOINT
// JOINT: error[MAP008]: more routes pass the router of position (0, 0) than it holds
// JOINT-NEXT:   at: machine.graph @cliques
// JOINT-NEXT:   expected: at most 2 entries (asic/column, topology.routers.entries: made for tests, no silicon)
// JOINT-NEXT:   found: 4 entries
