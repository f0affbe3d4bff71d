// Only a module with a chip has this form.
// RUN: not nopt %S/../machine/inputs/routed.mlir -t asic 2>&1 | filecheck %s --check-prefix=ASIC
// RUN: not nopt %S/../machine/inputs/routed.mlir -t loihi2 2>&1 | filecheck %s --check-prefix=LOIHI
// ASIC:      error[CHI018]: the module contains no network of the target
// ASIC-NEXT:   expected: one asic.chip
// LOIHI:      error[CHI018]: the module contains no network of the target
// LOIHI-NEXT:   expected: one loihi2.chip
