// RUN: exits 2 nopt %S/../inputs/weights.mlir -p 'ntensor-repeat-events{max-events=128}' 2>&1 | filecheck %s
// CHECK:      error[NGR011]: the number of events is out of range
// CHECK-NEXT:   at: max-events=128
// CHECK-NEXT:   expected: 1 to 127
// CHECK-NEXT:   found: 128
// CHECK-NEXT:   help: nopt {{.*}}weights.mlir -p 'ntensor-repeat-events{max-events=127}'
