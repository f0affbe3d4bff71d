// RUN: mutate 's@DEVICE@, machine.device = "asic/edge", machine.set = ["core.neurons=3", "core.shared.thresholds.classes=3"]@' %S/inputs/cliques.mlir > %t.mlir
// RUN: not nopt %t.mlir -p 'machine-place-vertices{objective=crossings}' 2>&1 | filecheck %s --check-prefix=ONE
// ONE:        error[MAP024]: a placement for crossings needs a cost that the device does not have
// ONE-NEXT:     at: machine.graph @cliques
// ONE-NEXT:     expected: a device with several chips
// ONE-NEXT:     found: asic/edge has one
// ONE-NEXT:     help: nopt {{.*}}objectives-errors.mlir.tmp.mlir -p 'machine-place-vertices{objective=hops}'

// RUN: mutate 's@DEVICE@, machine.device = "%S/inputs/chips.json"@' %S/inputs/cliques.mlir | not nopt - -p 'machine-place-vertices{objective=energy}' 2>&1 | filecheck %s --check-prefix=ENERGY
// ENERGY:     error[MAP024]: a placement for energy needs a cost that the device does not have
// ENERGY:       expected: the energy of a hop, cost.energy.hop

// RUN: not nopt %t.mlir -p 'machine-place-vertices{objective=speed}' 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN:    error[COR013]: invalid options for machine-place-vertices
// UNKNOWN:      expected: objective (device|hops|remote-pairs|input-axons|crossings|peak-load|energy)

// RUN: mutate 's/"hop": {/"measure": "speed", "hop": {/' %S/inputs/chips.json > %t.named.json
// RUN: mutate 's@DEVICE@, machine.device = "%t.named.json"@' %S/inputs/cliques.mlir | not nopt - -p 'machine-place-vertices' 2>&1 | filecheck %s --check-prefix=NAMED
// NAMED:      error[DEV
// NAMED:        found: {{.*}}speed
