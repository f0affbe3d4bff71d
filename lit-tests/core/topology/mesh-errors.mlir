// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3"]@' %S/../../passes/place/inputs/cliques.mlir | nopt - -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' > %t.mlir
// RUN: mutate '/machine.route "lif.2"/d' %t.mlir > %t.lost.mlir
// RUN: not nopt %t.lost.mlir 2>&1 | filecheck %s

// A missing tree is reported for its edge.
// CHECK: error[MCH009]: edge "lif/2" -> "lif/0" of "loop" is not delivered
