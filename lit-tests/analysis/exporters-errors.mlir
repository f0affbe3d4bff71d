// RUN: not nopt %S/../passes/repair/inputs/norse_lif.mlir -p 'nir-repair-export{by=nors dt-ns=1000000}' 2>&1 | filecheck %s --check-prefix=NEAR
// RUN: not nopt %S/../passes/repair/inputs/norse_lif.mlir -p 'nir-repair-export{by="" dt-ns=1000000}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not nopt run %S/../passes/repair/inputs/norse_lif.mlir --exported-by jax --dt 1ms --like norse 2>&1 | filecheck %s --check-prefix=FAR
// RUN: not nopt check %S/../passes/repair/inputs/norse_lif.mlir --exported-by jax 2>&1 | filecheck %s --check-prefix=FAR

// A misspelt name, a missing name, and an unknown name, also without a time step.
// NEAR: error[ANA032]: unknown exporter nors
// NEAR-NEXT:   at: exported by nors
// NEAR-NEXT:   expected: one of norse, rockpool, sinabs, snntorch, spyx
// NEAR-NEXT:   found: nors
// NEAR-NEXT:   help: nopt {{.*}}norse_lif.mlir -p 'nir-repair-export{by=norse dt-ns=1000000}'
// NONE: error[ANA032]: the exporter has no name
// FAR: error[ANA032]: unknown exporter jax
// FAR: help: nopt {{run|check}} {{.*}}norse_lif.mlir{{( --dt 1ms --like norse)?$}}
