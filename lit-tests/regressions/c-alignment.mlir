// An alignment beyond 64 bits ended in OverflowError; one that no compiler takes was accepted.

// RUN: exits 1 nopt %s -p 'c-plan-memory{alignment=99999999999999999999}' 2>&1 | filecheck %s --check-prefix=HUGE
// RUN: exits 1 nopt %s -p 'c-plan-memory{alignment=24}' 2>&1 | filecheck %s --check-prefix=ODD
// RUN: exits 1 nopt %s -p 'c-plan-memory{alignment=-16}' 2>&1 | filecheck %s --check-prefix=NEGATIVE
// RUN: nopt %s -p 'c-plan-memory{alignment=16}'
// HUGE:      error[CSR011]: alignment has no such value
// HUGE-NEXT:   at: c-plan-memory{alignment=99999999999999999999}
// HUGE-NEXT:   expected: 0, or a power of 2 up to 4096
// HUGE-NEXT:   found: 99999999999999999999
// HUGE-NEXT:   help: nopt {{.*}}c-alignment.mlir -p 'c-plan-memory{alignment=16}'
// ODD:         found: 24
// NEGATIVE:    found: -16

builtin.module {}
