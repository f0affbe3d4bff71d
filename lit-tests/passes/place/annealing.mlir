// RUN: mutate 's@DEVICE@, machine.device = "asic/mesh", machine.set = ["core.neurons=2", "topology.mesh.width=20", "topology.mesh.height=20", "topology.cores=400"]@' %S/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=400 pin="lif/0=0","lif/3=399"}' > %t.a.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=400 pin="lif/0=0","lif/3=399"}' | diff %t.a.mlir -
// RUN: filecheck %s < %t.a.mlir
// RUN: mutate 's@DEVICE@, machine.device = "asic/mesh", machine.set = ["core.neurons=2"]@' %S/inputs/cliques.mlir | nopt - -p 'machine-place-vertices{moves=400 pin="lif/0=0","lif/3=35"}' | filecheck %s --check-prefix=SMALL
// RUN: mutate 's@DEVICE@, machine.device = "asic/mesh", machine.set = ["core.neurons=4"]@' %S/inputs/cliques.mlir | nopt - -p 'machine-place-vertices{moves=400}' | filecheck %s --check-prefix=ENOUGH

// One vertex for each core, one of either clique pinned to opposite corners, 38 links apart. Each is next to its partner: 2 + 2 + 2 and 1 of
// the neuron that only 2 reads. 1 is 37 links from 0 then, with 2 on the path: 37. The same seed results in the same cores, and trials are counted.
// CHECK: machine.placed = {cost = 4.400000e+01 : f64, bound = 9.000000e+00 : f64, tried = 400 : i64

// The same corners of 6 x 6 cores, ten links apart: the other two vertices have 34 * 33 places, and the bound is the cost of the best of them.
// SMALL: machine.placed = {cost = 1.600000e+01 : f64, bound = 1.600000e+01 : f64, tried = 0 : i64, taken = 0 : i64}

// A placement with the minimum cost is not searched further.
// ENOUGH: machine.placed = {cost = 1.000000e+00 : f64, bound = 1.000000e+00 : f64, tried = 0 : i64, taken = 0 : i64}
