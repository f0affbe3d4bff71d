// RUN: sed 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3"]@' %S/../place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' | filecheck %s
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges,machine-route-edges' | nopt - | filecheck %s

// Neuron 0 of lif/0 sends to lif/1 and lif/2, neuron 1 only to lif/2: two trees. The others have one tree each.
// CHECK:      machine.routed = {cost = 1.700000e+01 : f64, links = 11 : i64, trees = 5 : i64}
// CHECK-SAME: stage = #machine.stage<routed>
// CHECK-DAG:  machine.route "lif/0" {links = #nopt.array<{{\[\[}}0, 0, 1, 0], [1, 0, 1, 1]] : tensor<2x4xi64>>, activity = 1.000000e+00 : f64, neurons = #nopt.array<[1] : tensor<1xi32>>}
// CHECK-DAG:  machine.route "lif/0" {links = #nopt.array<{{\[\[}}0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 1, 1]] : tensor<3x4xi64>>, activity = 1.000000e+00 : f64, neurons = #nopt.array<[0] : tensor<1xi32>>}
// CHECK-DAG:  machine.route "lif/2" {links = #nopt.array<{{\[\[}}1, 1, 0, 1], [0, 1, 0, 0]] : tensor<2x4xi64>>, activity = 2.000000e+00 : f64}
// CHECK-DAG:  machine.route "lif/1" {links = #nopt.array<{{\[\[}}0, 1, 1, 1], [1, 1, 1, 0]] : tensor<2x4xi64>>, activity = 2.000000e+00 : f64}
// CHECK-DAG:  machine.route "lif/3" {links = #nopt.array<{{\[\[}}1, 0, 0, 0], [0, 0, 0, 1]] : tensor<2x4xi64>>, activity = 2.000000e+00 : f64}
// CHECK-NOT:  machine.route
