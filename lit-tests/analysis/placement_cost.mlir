// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3"]@' %S/../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices' | filecheck %s
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=1","lif/2=2","lif/3=3"}' | filecheck %s --check-prefix=GOOD
// RUN: nopt %t.mlir -p 'machine-place-vertices{pin="lif/0=0","lif/1=2","lif/2=3","lif/3=1"}' | filecheck %s --check-prefix=BAD

// Every vertex fills more than half of a core, so each needs its own. 0 and 2 exchange 2 + 2 spikes, 1 and 3 as many, and one of 0 goes
// to 1: 4 + 4 + 1 links at least. The bound counts the tree of the one neuron that 1 reads as two links (0, 1 and 2 are three cores) and
// the other neuron's as one: 2 + 1 + 2 + 2 + 2.
// CHECK: machine.placed = {cost = 9.000000e+00 : f64, bound = 9.000000e+00 : f64

//    0 1      The one spike to 1 and 2 takes two links, its neighbour one: 3; 2 answers over one link: 2; 1 and 3: 2 + 2.
//    2 3
// GOOD: machine.placed = {cost = 9.000000e+00 : f64

//    0 3      All are two links apart: to 2 and 1, one tree for both, x first: 0 to 3, 3 to 2, 0 to 1: 3; its neighbour 2; 2 answers 4; 1 and 3: 4 + 4.
//    1 2
// BAD: machine.placed = {cost = 1.700000e+01 : f64
