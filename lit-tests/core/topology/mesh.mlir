// RUN: mutate 's@DEVICE@, machine.device = "%S/../../passes/place/inputs/column.json", machine.set = ["topology.routers.entries=9"]@' %S/../../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' | filecheck %s
// RUN: mutate 's@DEVICE@, machine.device = "%S/../../passes/place/inputs/chips.json"@' %S/../../passes/place/inputs/cliques.mlir | nopt - -p 'machine-place-vertices,machine-route-edges' | filecheck %s --check-prefix=CHIPS

// Along y first, and one path per target: the spike to lif/1 and lif/2 is sent twice.
// CHECK:     machine.routed = {cost = 1.700000e+01 : f64, links = 11 : i64, trees = 6 : i64}
// CHECK:     machine.route "lif/0" {links = #nopt.array<{{.*}} : tensor<5x4xi16>>, activity = #nopt.array<[1.0, 1.0, 1.0] : tensor<3xf64>>, trees = #nopt.array<{{\[\[}}1, 1], [2, 1], [2, 1]] : tensor<3x2xi32>>, neurons = #nopt.array<[0, 0, 1] : tensor<3xi32>>}

// From chip to chip.
// CHIPS:     machine.route "lif/0" {links = #nopt.array<{{\[\[}}0, 0, 0, 1, 0, 0]
