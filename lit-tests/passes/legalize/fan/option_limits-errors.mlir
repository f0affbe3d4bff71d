// RUN: not nopt %S/../delays/ntensor_clamp_delays-errors.mlir -p 'ntensor-relay-delays{max-delay=-1}' 2>&1 | filecheck %s

// CHECK: error[LEG022]: the longest delay is at least one tick
// CHECK-NEXT:   at: max-delay=-1
// CHECK-NEXT:   expected: 1 or more
// CHECK-NEXT:   found: -1
// CHECK-NEXT:   help: nopt {{.*}}ntensor_clamp_delays-errors.mlir -p 'ntensor-relay-delays{max-delay=1}'
