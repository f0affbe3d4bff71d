// RUN: mutate 's@DEVICE@, machine.device = "%S/../place/inputs/torus.json", machine.set = ["topology.routers.entries=1"]@' %S/../place/inputs/cliques.mlir > %t.mlir
// RUN: exits 1 nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=4","lif/3=17"},machine-route-edges,machine-make-tables' 2>&1 | filecheck %s
// RUN: exits 1 nopt %t.mlir -p machine-make-tables 2>&1 | filecheck %s --check-prefix=STAGE
// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3"]@' %S/../place/inputs/cliques.mlir > %t.mesh.mlir
// RUN: exits 1 nopt %t.mesh.mlir -p machine-place-vertices,machine-route-edges,machine-make-tables 2>&1 | filecheck %s --check-prefix=MESH
// RUN: mutate 's@entries=1@entries=1", "topology.torus.first_processor=56@' %t.mlir > %t.many.mlir
// RUN: exits 1 nopt %t.many.mlir -p machine-place-vertices,machine-route-edges,machine-make-tables 2>&1 | filecheck %s --check-prefix=MANY
// RUN: mutate 's@topology.routers.entries=1@topology.torus.key_bits=2@' %t.mlir > %t.keys.mlir
// RUN: exits 1 nopt %t.keys.mlir -p machine-place-vertices,machine-route-edges,machine-make-tables 2>&1 | filecheck %s --check-prefix=KEYS
// RUN: mutate 's@key_bits=2@key_bits=3@' %t.keys.mlir | nopt - -p machine-place-vertices,machine-route-edges,machine-make-tables -o /dev/null

// RUN: mutate 's@entries=1@entries=1", "core.neurons=8@' %t.mlir | nopt - -p machine-place-vertices,machine-route-edges,machine-make-tables -o /dev/null

// Chips 0 and 1 have two routes each that differ. On a core that holds all vertices, the keys of all of them have one route.
// CHECK:      error[MAP013]: the table of the router of position (0, 0) of chip {{[0-9]}} needs more entries than it holds
// CHECK:        expected: at most 1 entries after compression (
// CHECK-NEXT:   found: 2 entries
// CHECK-NEXT:   help: nopt {{.*}}ntensor-plan-cores{device="{{.*}}torus.json" set="topology.routers.entries=2"},

// STAGE: error[MCH017]: the graph is not routed
// MESH:  error[MAP011]: routers of the device do not select routes by keys
// MESH:    found: mesh
// MANY:  error[MAP014]: a router has more processors than a route has bits for
// MANY:    found: 58
// Four vertices of two neurons need 8 keys, which 3 bits distinguish.
// KEYS:  error[MAP012]: the vertices need more keys than there are
// KEYS:    expected: at most 4 keys
// KEYS:    found: 8 keys
