// RUN: mutate 's@DEVICE@, machine.device = "asic/edge"@' %S/inputs/cliques.mlir > %t.mlir
// RUN: not nopt %t.mlir -p 'machine-place-vertices{moves=-1}' 2>&1 | filecheck %s --check-prefix=MOVES
// RUN: not nopt %t.mlir -p 'machine-place-vertices{seed=-1}' 2>&1 | filecheck %s --check-prefix=SEED
// RUN: nopt %t.mlir -p 'machine-place-vertices{moves=20000 seed=0}'

// MOVES: error[MAP006]: moves and seed are numbers from 0
// MOVES-NEXT:   at: moves=-1
// MOVES-NEXT:   expected: 0 or more
// MOVES-NEXT:   found: -1
// MOVES-NEXT:   help: nopt {{.*}}annealing-errors.mlir.tmp.mlir -p 'machine-place-vertices{moves=20000 seed=0}'

// SEED: error[MAP006]: moves and seed are numbers from 0
// SEED-NEXT:   at: seed=-1
