// RUN: mutate 's@DEVICE@, machine.device = "%S/../place/inputs/torus.json", machine.set = ["topology.routers.entries=2"]@' %S/../place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=4","lif/3=17"},machine-route-edges,machine-make-tables' > %t.tables.mlir
// RUN: filecheck %s < %t.tables.mlir
// RUN: nopt %t.tables.mlir | filecheck %s
// RUN: nopt %t.tables.mlir -p machine-make-tables | filecheck %s
// RUN: nopt %t.tables.mlir -p machine-route-edges | filecheck %s --check-prefix=AGAIN
// RUN: nopt %t.tables.mlir -p machine-place-vertices | filecheck %s --check-prefix=AGAIN

// Four vertices of two neurons: blocks of two keys, one after the other. On chip 0 the keys of lif/0 (0 and 1) go to link 3, and those of lif/2 (4 and 5) to its core: first_processor + slot 0 = 1, so bit 6 + 1.
// Tables with as many entries as a router holds are accepted.
// CHECK:      machine.tabled = {entries = {{[0-9]+}} : i64, most = 2 : i64, original = 11 : i64}
// CHECK-DAG:  machine.key "lif/0" {key = 0 : i64, mask = 4294967294 : i64}
// CHECK-DAG:  machine.key "lif/1" {key = 2 : i64, mask = 4294967294 : i64}
// CHECK-DAG:  machine.key "lif/2" {key = 4 : i64, mask = 4294967294 : i64}
// CHECK-DAG:  machine.key "lif/3" {key = 6 : i64, mask = 4294967294 : i64}
// CHECK:      machine.table 0 {key = #nopt.array<[0, 4] : tensor<2xi64>>, mask = #nopt.array<[4294967294, 4294967294] : tensor<2xi64>>, route = #nopt.array<[8, 128] : tensor<2xi64>>}

// Routes and places are made without the tables of the old ones.
// AGAIN-NOT: machine.key
// AGAIN-NOT: machine.table
