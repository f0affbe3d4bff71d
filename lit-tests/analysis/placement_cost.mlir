// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3"]@' %S/../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices' | filecheck %s
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=0 pin="lif/0=0","lif/1=1","lif/2=2","lif/3=3"}' | filecheck %s --check-prefix=GOOD
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=0 pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"}' | filecheck %s --check-prefix=BAD

// Every vertex fills more than half of a core, so each needs its own. As they are cut, 0 and 2 exchange 2 + 2 spikes, 1 and 3 as many, and one
// of 0 goes to 1: 9 links at least. The search also moves the cuts between the vertices of a population: to slices of 1, 3, 3 and 1 neurons,
// which need 7 links, and no placement of these has fewer.
// CHECK: machine.placed = {cost = 7.000000e+00 : f64, bound = 7.000000e+00 : f64

//    0 1      The one spike to 1 and 2 takes two links, its neighbour one: 3; 2 answers over one link: 2; 1 and 3: 2 + 2.
//    2 3
// GOOD: machine.placed = {cost = 9.000000e+00 : f64

//    0 3      All are two links apart: to 2 and 1, one tree for both, x first: 0 to 3, 3 to 2, 0 to 1: 3; its neighbour 2; 2 answers 4; 1 and 3: 4 + 4.
//    1 2
// BAD: machine.placed = {cost = 1.700000e+01 : f64
