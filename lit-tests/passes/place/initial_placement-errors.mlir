// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=4", "topology.mesh.width=1", "topology.mesh.height=1", "topology.cores=1"]@' %S/inputs/cliques.mlir > %t.mlir
// RUN: not nopt %t.mlir -p 'machine-place-vertices{moves=0}' 2>&1 | filecheck %s

// CHECK: error[MAP004]: the vertices do not fit on the cores of the device
// CHECK:   found: 5 vertices need at least 2 for core.neurons

// Both resources need two cores.
// RUN: mutate 's@core.neurons=4@core.neurons=4", "core.vertices=2@' %t.mlir | not nopt - -p 'machine-place-vertices{moves=0}' 2>&1 | filecheck %s --check-prefix=BOTH
// BOTH: error[MAP004]: the vertices do not fit on the cores of the device
// BOTH:   found: 5 vertices need at least 2 for core.vertices and core.neurons

// The two cores of the only position hold one vertex of two neurons each. A second row has two more cores.
// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3", "topology.mesh.width=1", "topology.mesh.height=1", "topology.mesh.cores=2", "topology.cores=2"]@' %S/inputs/cliques.mlir > %t.two.mlir
// RUN: not nopt %t.two.mlir -p 'machine-place-vertices{moves=0}' 2>&1 | filecheck %s --check-prefix=JOINT
// RUN: mutate 's@topology.mesh.height=1@topology.mesh.height=2@' 's@topology.cores=2@topology.cores=4@' %t.two.mlir | nopt - -p 'machine-place-vertices{moves=0}' -o /dev/null
// JOINT: error[MAP004]: the vertices do not fit on the cores of the device
// JOINT:   found: 5 vertices need at least 4 for core.neurons
// JOINT:   help: {{.*}}"topology.mesh.height=2","topology.mesh.cores=2","topology.cores=4"

// Ten neurons are as many as two cores have, and each core holds two vertices of two. Cores with six neurons hold three.
// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=5", "topology.mesh.width=2", "topology.mesh.height=1", "topology.cores=2"]@' %S/inputs/five.mlir > %t.five.mlir
// RUN: not nopt %t.five.mlir -p 'machine-place-vertices{moves=0}' 2>&1 | filecheck %s --check-prefix=PACK
// RUN: mutate 's@core.neurons=5@core.neurons=6@' %t.five.mlir | nopt - -p 'machine-place-vertices{moves=0}' -o /dev/null
// PACK:      error[MAP004]: the vertices do not fit on the cores of the device
// PACK-NEXT:   at: machine.graph @five
// PACK-NEXT:   expected: at most 2 cores that work and are free (asic/edge, topology.cores: set by the user; asic/edge, core.neurons: set by the user)
// PACK-NEXT:   found: 6 vertices that do not pack into them, where core.neurons has the least room
