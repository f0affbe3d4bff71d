// RUN: sed 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=4", "topology.mesh.width=1", "topology.mesh.height=1", "topology.cores=1"]@' %S/inputs/cliques.mlir > %t.mlir
// RUN: not nopt %t.mlir -p 'machine-place-vertices{moves=0}' 2>&1 | filecheck %s

// CHECK: error[MPL001]: the vertices do not fit on the cores of the device
// CHECK:   found: 5 vertices need at least 2 for core.neurons
