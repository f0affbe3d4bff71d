// RUN: mutate 's@DEVICE@, machine.device = "%S/../../passes/place/inputs/tree.json"@' %S/../../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=3","lif/1=2","lif/2=0","lif/3=1"},machine-route-edges' | filecheck %s

// From core 3 through its parent 1 and the root 0 to core 2: the first of two trees, whose links pass each core once.
// CHECK: machine.route "lif/0" {links = #nopt.array<{{\[\[}}3, 1], [1, 0], [0, 2], [3, 1], [1, 0]] : tensor<5x2xi16>>
