// RUN: not nopt %S/../inputs/padded.mlir -p 'ntensor-pad-inputs{channels=1}' 2>&1 | filecheck %s
// RUN: nopt %S/../inputs/padded.mlir -p 'ntensor-pad-inputs{channels=2}' -o /dev/null
// RUN: not nopt %S/../inputs/counts.mlir -p ntensor-pad-inputs 2>&1 | filecheck %s --check-prefix=TIME

// CHECK:      error[LEG071]: an input has more channels than it shall have
// CHECK-NEXT:   at: input "in"
// CHECK-NEXT:   expected: 2 or more
// CHECK-NEXT:   found: 1
// CHECK-NEXT:   help: nopt {{.*}}padded.mlir -p 'ntensor-pad-inputs{channels=2}'

// TIME: error[NTE009]: no network in ticks
