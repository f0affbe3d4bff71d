// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=6"]@' %S/../passes/place/inputs/cliques.mlir | nopt - -p 'machine-place-vertices,machine-route-edges' | filecheck %s

// A core holds six neurons, which are three vertices. A clique is cheapest on one core: a pair costs 4 and the bridge between cliques 1.
// So each clique has its core, and neuron 0 alone is a net.
// CHECK: machine.placed = {cost = 1.000000e+00 : f64
// CHECK: machine.routed = {cost = 1.000000e+00 : f64, links = 1 : i64, trees = 1 : i64}
