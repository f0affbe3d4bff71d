// RUN: mutate 's@DEVICE@, machine.device = "%S/../../passes/place/inputs/torus.json"@' %S/../../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=4","lif/3=17"},machine-route-edges,machine-make-tables' > %t.tables.mlir
// RUN: mutate '/machine.table 0/{s/tensor<2x/tensor<3x/g;s/0, 4/0, 4, 8/;s/67294]/67294, 4294967288]/;s/128]/128, 64]/}' %t.tables.mlir > %t.more.mlir
// RUN: nopt %t.more.mlir | filecheck %s

// An entry for keys that no vertex sends changes no route.
// CHECK: machine.key "lif/3" {key = 6 : i64, mask = 4294967294 : i64}
// CHECK: machine.table 0 {key = #nopt.array<[0, 4, 8] : tensor<3xi64>>, mask = #nopt.array<[4294967294, 4294967294, 4294967288] : tensor<3xi64>>, route = #nopt.array<[8, 128, 64] : tensor<3xi64>>}
