// RUN: mutate 's@DEVICE@, machine.device = "%S/../place/inputs/torus.json"@' %S/../place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=4","lif/3=17"},machine-route-edges,machine-make-tables,print-routing-tables' 2>&1 | filecheck %s

// CHECK:      remark[MAP023]: routing tables of @cliques
// CHECK:        position (0, 0) of chip 0: 2 entries
// CHECK-NEXT:     0x00000000/0xfffffffe: link 3
// CHECK-NEXT:     0x00000004/0xfffffffe: processor 1
// CHECK:        position (0, 0) of chip 2: 2 entries
// CHECK-NEXT:     0x00000000/0xfffffffe: link 3; processor 1
