// RUN: sed 's@DEVICE@, machine.device = "asic/mesh", machine.set = ["core.neurons=2"]@' %S/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=400 pin="lif/0=0","lif/3=35"}' > %t.a.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=400 pin="lif/0=0","lif/3=35"}' | diff %t.a.mlir -
// RUN: filecheck %s < %t.a.mlir
// RUN: sed 's@DEVICE@, machine.device = "asic/mesh", machine.set = ["core.neurons=4"]@' %S/inputs/cliques.mlir | nopt - -p 'machine-place-vertices{moves=400}' | filecheck %s --check-prefix=ENOUGH

// One vertex for each core, one of either clique pinned to opposite corners, ten links apart. Each is next to its partner: 2 + 2 + 2 and 1 of
// the neuron that only 2 reads. 1 is nine links from 0 then, with 2 on the path: 9. The same seed results in the same cores, and trials are counted.
// CHECK: machine.placed = {cost = 1.600000e+01 : f64, bound = 9.000000e+00 : f64, tried = 400 : i64

// A placement with the minimum cost is not searched further.
// ENOUGH: machine.placed = {cost = 1.000000e+00 : f64, bound = 1.000000e+00 : f64, tried = 0 : i64, taken = 0 : i64}
