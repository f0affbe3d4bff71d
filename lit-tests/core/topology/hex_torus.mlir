// RUN: mutate 's@DEVICE@, machine.device = "%S/../../passes/place/inputs/torus.json"@' %S/../../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=4","lif/3=17"},machine-route-edges' | filecheck %s
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=4","lif/3=17"},machine-route-edges' | nopt - | filecheck %s

// 3 x 3 chips with two cores each; chip 4 and the link between chips 0 and 1 are dead. All neurons of lif/0 share a tree to chips 1 and 2.
// Placement counts shortest paths: 0 to 2 by link 3, and the two links 0 to 7 to 1. Chip 1 is a neighbour of chip 2, so that two links suffice.
// Two events per tick over 2 + 1 + 2 + 2 links cost 14.
// CHECK:      machine.placed = {cost = 1.600000e+01 : f64
// CHECK-SAME: machine.routed = {cost = 1.400000e+01 : f64, links = 7 : i64, trees = 4 : i64}
// CHECK-DAG:  machine.route "lif/0" {links = #nopt.array<{{\[\[}}0, 3], [2, 3]] : tensor<2x2xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
// CHECK-DAG:  machine.route "lif/2" {links = #nopt.array<{{\[\[}}2, 0]] : tensor<1x2xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
// CHECK-DAG:  machine.route "lif/1" {links = #nopt.array<{{\[\[}}1, 1], [5, 2]] : tensor<2x2xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
// CHECK-DAG:  machine.route "lif/3" {links = #nopt.array<{{\[\[}}8, 5], [5, 4]] : tensor<2x2xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
