// RUN: sed 's@DEVICE@, machine.device = "asic/mesh", machine.set = ["core.neurons=4"]@' %S/../inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=400 pin="in/0=35","lif/3=35"}' > %t.a.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=400 pin="in/0=35","lif/3=35"}' | diff %t.a.mlir -
// RUN: filecheck %s < %t.a.mlir

// The same seed gives the same cores, and trials are counted. The pinned vertex holds its clique in its corner.
// CHECK: machine.placed = {cost = 1.000000e+00 : f64, bound = 1.000000e+00 : f64, tried = 400 : i64
// CHECK: machine.vertex "lif/1" {{.*}}core = 35 : i64
