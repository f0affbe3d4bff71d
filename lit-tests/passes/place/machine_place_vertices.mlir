// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=4"]@' %S/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices' | filecheck %s
// RUN: nopt %t.mlir -p 'machine-place-vertices' | nopt - | filecheck %s
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/3=2"}' | filecheck %s --check-prefix=PINNED
// RUN: nopt %t.mlir -p 'machine-place-vertices,machine-route-edges,machine-place-vertices{pin="lif/3=2"}' | filecheck %s --check-prefix=PINNED
// RUN: mutate 's@DEVICE@, machine.device = "%S/inputs/faulty.json"@' %S/inputs/cliques.mlir | nopt - -p 'machine-place-vertices' | filecheck %s --check-prefix=FAULTY
// RUN: mutate 's@DEVICE@, machine.device = "%S/inputs/chips.json"@' %S/inputs/cliques.mlir | nopt - -p 'machine-place-vertices' | filecheck %s --check-prefix=CHIPS

// Two cliques of two vertices, one spike from the first to the second, cores that hold one clique: the one spike takes one link.
// CHECK:      machine.placed = {cost = 1.000000e+00 : f64, bound = 1.000000e+00 : f64, tried = 0 : i64
// CHECK-SAME: stage = #machine.stage<placed>
// CHECK:      machine.vertex "in/0" of "in" {{.*}}core = 0 : i64
// CHECK:      machine.vertex "lif/0" of "lif" {{.*}}core = [[A:[0-3]]] : i64
// CHECK:      machine.vertex "lif/1" of "lif" {{.*}}core = [[B:[0-3]]] : i64
// CHECK:      machine.vertex "lif/2" of "lif" {{.*}}core = [[A]] : i64
// CHECK:      machine.vertex "lif/3" of "lif" {{.*}}core = [[B]] : i64

// A pinned vertex attracts its clique; a routed graph is placed again, without its routes.
// PINNED:     machine.placed = {cost = 1.000000e+00 : f64
// PINNED-DAG: machine.vertex "lif/1" of "lif" {{.*}}core = 2 : i64
// PINNED-DAG: machine.vertex "lif/3" of "lif" {{.*}}core = 2 : i64
// PINNED-NOT: machine.route

// Cores 1 and 2 are faulty and reserved: the other two are diagonal, two links apart. No other placement has a lower cost.
// FAULTY:     machine.placed = {cost = 2.000000e+00 : f64, bound = 2.000000e+00 : f64
// FAULTY-NOT: core = {{[12]}} : i64

// Two chips of one core: the link and 10 for the crossing.
// CHIPS:      machine.placed = {cost = 1.100000e+01 : f64
