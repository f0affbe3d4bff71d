// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=4"]@' %S/inputs/cliques.mlir | nopt - -p 'machine-place-vertices{moves=0}' | filecheck %s

// Without a trial: vertices with the most traffic share a core, and the rest are next to them.
// CHECK: machine.placed = {cost = 1.000000e+00 : f64, bound = 1.000000e+00 : f64, tried = 0 : i64, taken = 0 : i64}
