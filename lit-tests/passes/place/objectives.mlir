// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3"]@' %S/inputs/cliques.mlir > %t.mlir
// RUN: nopt %t.mlir -p 'machine-place-vertices{objective=hops}' | filecheck %s --check-prefix=HOPS
// RUN: nopt %t.mlir -p 'machine-place-vertices{objective=remote-pairs}' | filecheck %s --check-prefix=PAIRS
// RUN: nopt %t.mlir -p 'machine-place-vertices{objective=input-axons}' | filecheck %s --check-prefix=AXONS
// RUN: nopt %t.mlir -p 'machine-place-vertices{objective=energy}' | filecheck %s --check-prefix=ENERGY
// RUN: nopt %t.mlir -p 'machine-place-vertices{objective=energy},machine-place-vertices' | filecheck %s --check-prefix=AGAIN
// RUN: mutate 's@DEVICE@, machine.device = "%S/inputs/chips.json"@' %S/inputs/cliques.mlir | nopt - -p 'machine-place-vertices{objective=crossings}' | filecheck %s --check-prefix=CROSSINGS

// Three cores of 3 neurons hold the 8 neurons of two cliques: 7 spikes reach another core, over one link each.
// HOPS-NOT:   machine.objective
// HOPS:       machine.placed = {cost = 7.000000e+00 : f64, bound = 7.000000e+00 : f64
// PAIRS:      machine.objective = "remote-pairs", machine.placed = {cost = 7.000000e+00 : f64

// The spikes on their own core count as well: 6 neurons have targets there.
// AXONS:      machine.objective = "input-axons", machine.placed = {cost = 1.300000e+01 : f64

// 7 links of 1.2 pJ each.
// ENERGY:     machine.objective = "energy", machine.placed = {cost = 8.4{{0*}}e+00 : f64
// AGAIN-NOT:  machine.objective

// Two chips of one core: one spike crosses, and counts once instead of with the weight 10 of the device.
// CROSSINGS:  machine.objective = "crossings", machine.placed = {cost = 1.000000e+00 : f64

// A device file names its objective.
// RUN: mutate 's/"hop": {/"measure": "crossings", "hop": {/' %S/inputs/chips.json > %t.named.json
// RUN: mutate 's@DEVICE@, machine.device = "%t.named.json"@' %S/inputs/cliques.mlir | nopt - -p 'machine-place-vertices' | filecheck %s --check-prefix=CROSSINGS
