// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3", "topology.mesh.height=1", "topology.cores=2"]@' %S/../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3", "topology.mesh.height=2", "topology.cores=4"]@' %S/../passes/place/inputs/cliques.mlir | nopt - -p 'machine-place-vertices'
// RUN: not nopt %t.mlir -p 'machine-place-vertices' 2>&1 | filecheck %s

// Four vertices of two neurons each, no two of which fit one core, on two cores.
// CHECK: error[MAP004]: the vertices do not fit on the cores of the device
// CHECK-NEXT:   at: machine.graph @cliques
// CHECK-NEXT:   expected: at most 2 cores that work and are free (asic/edge, topology.cores: set by the user)
// CHECK-NEXT:   found: 5 vertices need at least 4 for core.neurons
// CHECK-NEXT:   help: nopt {{.*}} -p 'convert-machine-to-ntensor,ntensor-plan-cores{device="asic/edge" set="core.neurons=3","core.shared.thresholds.classes=3","topology.mesh.height=2","topology.cores=4"},convert-ntensor-to-machine,machine-place-vertices
