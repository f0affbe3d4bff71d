// RUN: mutate 's@DEVICE@, machine.device = "%S/../place/inputs/torus.json"@' %S/../place/inputs/cliques.mlir > %t.mlir
// RUN: exits 1 nopt %t.mlir -p print-routing-tables 2>&1 | filecheck %s

// A graph that is not routed has no tables.
// CHECK: error[MCH017]: the graph is not routed
