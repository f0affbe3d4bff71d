// RUN: mutate 's@DEVICE@, machine.device = "%S/../../passes/place/inputs/tree.json"@' %S/../../passes/place/inputs/cliques.mlir | nopt - -p 'machine-place-vertices{pin="lif/0=3","lif/1=2","lif/2=0","lif/3=1"},machine-route-edges' > %t.mlir
// RUN: mutate 's/\[\[3, 1\], \[1, 0\], \[0, 2\]/[[3, 1], [1, 2], [2, 0]/' %t.mlir > %t.sibling.mlir
// RUN: not nopt %t.sibling.mlir 2>&1 | filecheck %s

// Cores 1 and 2 are siblings, which have no link.
// CHECK: a link does not connect neighbours
