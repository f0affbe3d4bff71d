// Key, mask and route have an entry each.
// RUN: mutate 's/route = #nopt.array<\[128, 256\] : tensor<2xi64>>/route = #nopt.array<[128] : tensor<1xi64>>/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s
// CHECK:      error[CHI001]: route has another shape
// CHECK-NEXT:   at: spinnaker.router
// CHECK-NEXT:   expected: [2]
// CHECK-NEXT:   found: [1]

// An entry whose key has bits outside of its mask, and two tables of one router.
// RUN: mutate 's/\(spinnaker.router 0 {key = #nopt.array<\[\)0/\11/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MATCH
// RUN: mutate 's/  spinnaker.router 0 .*/&\n&/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TWICE
// MATCH:      error[CHI001]: an entry matches no key
// TWICE:      error[CHI002]: two tables of one router
