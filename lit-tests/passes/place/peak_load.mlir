// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=2"]@' %S/inputs/cliques.mlir > %t.two.mlir
// RUN: nopt %t.two.mlir -p 'machine-place-vertices{objective=peak-load}' | filecheck %s
// RUN: nopt %t.two.mlir -p 'machine-place-vertices{objective=peak-load moves=0}' | filecheck %s --check-prefix=NONE
// RUN: nopt %t.two.mlir -p 'machine-place-vertices{objective=peak-load}' -o %t.a.mlir
// RUN: nopt %t.two.mlir -p 'machine-place-vertices{objective=peak-load}' -o %t.b.mlir
// RUN: diff %t.a.mlir %t.b.mlir

// A pair of neurons on each of 4 cores. Two spikes go from each core to another one, and one of them also to a third: no link has fewer than 2. The bound is the mean over links.
// CHECK: machine.objective = "peak-load", machine.placed = {cost = 2.{{0*}}e+00 : f64, bound = {{1.125[0-9]*}}e+00 : f64, tried = {{[0-9]+}} : i64
// NONE:  machine.objective = "peak-load", machine.placed = {cost = {{[0-9.e+]+}} : f64, bound = {{1.125[0-9]*}}e+00 : f64, tried = 0 : i64, taken = 0 : i64
