// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3"]@' %S/../place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=0 pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' | filecheck %s
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=0 pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges,machine-route-edges' | nopt - | filecheck %s

// Neuron 0 of lif/0 sends to lif/1 and lif/2, neuron 1 only to lif/2: two trees, of 3 links for neuron 0 and of 2 for neuron 1. The others have one tree each. A vertex has one op.
// CHECK:      machine.routed = {cost = 1.700000e+01 : f64, links = 11 : i64, trees = 5 : i64}
// CHECK-SAME: stage = #machine.stage<routed>
// CHECK-DAG:  machine.route "lif/0" {links = #nopt.array<{{.*}} : tensor<5x4xi16>>, activity = #nopt.array<[1.0, 1.0] : tensor<2xf64>>, trees = #nopt.array<{{\[\[}}3, 1], [2, 1]] : tensor<2x2xi32>>, neurons = #nopt.array<[0, 1] : tensor<2xi32>>}
// CHECK-DAG:  machine.route "lif/2" {links = #nopt.array<{{\[\[}}1, 1, 0, 1], [0, 1, 0, 0]] : tensor<2x4xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
// CHECK-DAG:  machine.route "lif/1" {links = #nopt.array<{{\[\[}}0, 1, 1, 1], [1, 1, 1, 0]] : tensor<2x4xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
// CHECK-DAG:  machine.route "lif/3" {links = #nopt.array<{{\[\[}}1, 0, 0, 0], [0, 0, 0, 1]] : tensor<2x4xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
// CHECK-NOT:  machine.route

// All cores connected: a link from the source to each target core. Two of the four cores are on the other chip, and its links cost 5.
// RUN: mutate 's@DEVICE@, machine.device = "%S/../place/inputs/crossbar.json"@' %S/../place/inputs/cliques.mlir > %t.crossbar.mlir
// RUN: nopt %t.crossbar.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' > %t.crossed.mlir
// RUN: filecheck %s --check-prefix=CROSSBAR < %t.crossed.mlir
// RUN: nopt %t.crossed.mlir | filecheck %s --check-prefix=CROSSBAR
// 2 events 0 -> 3, 1 of them also 0 -> 2; 2 events each 3 -> 0, 2 -> 1 and 1 -> 2: 9 events on links of 1 + 4.
// CROSSBAR:      machine.routed = {cost = 4.500000e+01 : f64, links = 6 : i64, trees = 5 : i64}
// CROSSBAR-DAG:  machine.route "lif/0" {links = #nopt.array<{{\[\[}}0, 2], [0, 3], [0, 3]] : tensor<3x2xi16>>, activity = #nopt.array<[1.0, 1.0] : tensor<2xf64>>, trees = #nopt.array<{{\[\[}}2, 1], [1, 1]] : tensor<2x2xi32>>, neurons = #nopt.array<[0, 1] : tensor<2xi32>>}
// CROSSBAR-DAG:  machine.route "lif/2" {links = #nopt.array<{{\[\[}}3, 0]] : tensor<1x2xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
// CROSSBAR-NOT:  machine.route "in/0"

// A bus: one use of it for each event that leaves its core. 2 events each of lif/0 to lif/3, 1 of them for two cores: 8.
// RUN: mutate 's@DEVICE@, machine.device = "asic/bus", machine.set = ["topology.bus.events_per_tick=8"]@' %S/../place/inputs/cliques.mlir > %t.bus.mlir
// RUN: nopt %t.bus.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"},machine-route-edges' > %t.shared.mlir
// RUN: filecheck %s --check-prefix=BUS < %t.shared.mlir
// RUN: nopt %t.shared.mlir | filecheck %s --check-prefix=BUS
// BUS:      machine.routed = {cost = 8.000000e+00 : f64, links = 5 : i64, trees = 5 : i64}
// BUS:      machine.route "lif/0" {links = #nopt.array<{{\[\[}}0], [0]] : tensor<2x1xi16>>, activity = #nopt.array<[1.0, 1.0] : tensor<2xf64>>, trees = #nopt.array<{{\[\[}}1, 1], [1, 1]] : tensor<2x2xi32>>, neurons = #nopt.array<[0, 1] : tensor<2xi32>>}

// Two cores at each position share a router: cores 0 and 1 at (0, 0), cores 2 and 3 at (0, 1). Only the event of neuron 0 of lif/0 for lif/1 uses a link.
// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["topology.mesh.width=1", "topology.mesh.cores=2", "core.shared.thresholds.classes=3"]@' %S/../place/inputs/cliques.mlir > %t.two.mlir
// RUN: nopt %t.two.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=1","lif/3=3"},machine-route-edges' > %t.joint.mlir
// RUN: filecheck %s --check-prefix=JOINT < %t.joint.mlir
// RUN: nopt %t.joint.mlir | filecheck %s --check-prefix=JOINT
// JOINT:      machine.routed = {cost = 1.000000e+00 : f64, links = 1 : i64, trees = 5 : i64}
// JOINT:      machine.route "lif/0" {links = #nopt.array<{{\[\[}}0, 0, 0, 1]] : tensor<1x4xi16>>, activity = #nopt.array<[1.0, 1.0] : tensor<2xf64>>, trees = #nopt.array<{{\[\[}}1, 1], [0, 1]] : tensor<2x2xi32>>, neurons = #nopt.array<[0, 1] : tensor<2xi32>>}
// JOINT-NEXT: machine.route "lif/1" {links = #nopt.array<"0x" : tensor<0x4xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
// JOINT-NEXT: machine.route "lif/2" {links = #nopt.array<"0x" : tensor<0x4xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
// JOINT-NEXT: machine.route "lif/3" {links = #nopt.array<"0x" : tensor<0x4xi16>>, activity = #nopt.array<[2.0] : tensor<1xf64>>}
