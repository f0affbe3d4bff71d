// Key, mask and route have an entry each.
// RUN: sed 's/route = #nopt.array<\[128, 256\] : tensor<2xi64>>/route = #nopt.array<[128] : tensor<1xi64>>/' %S/../inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s
// CHECK:      error[ASI001]: route has another shape
// CHECK-NEXT:   at: spinnaker.router
// CHECK-NEXT:   expected: [2]
// CHECK-NEXT:   found: [1]
