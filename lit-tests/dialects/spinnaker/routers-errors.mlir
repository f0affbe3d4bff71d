// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// An entry whose key has bits outside of its mask, and two tables of one router.
// RUN: mutate 's/  spinnaker.router 0 .*/&\n&/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE:      error[CHI002]: two tables of one router

// -----

// Key, mask and route have an entry each.
// CHECK:      error[CHI001]: route has another shape
// CHECK-NEXT:   at: spinnaker.router
// CHECK-NEXT:   expected: [2]
// CHECK-NEXT:   found: [1]
spinnaker.chip @net {
  // expected-error @below {{[CHI001]}}
  spinnaker.router 0 {key = #nopt.array<[0, 4] : tensor<2xi64>>, mask = #nopt.array<[4294967292, 4294967294] : tensor<2xi64>>, route = #nopt.array<[128] : tensor<1xi64>>}
}

// -----

// An entry whose key has bits outside of its mask, and two tables of one router.
spinnaker.chip @net {
  // expected-error @below {{[CHI001]: an entry matches no key}}
  spinnaker.router 0 {key = #nopt.array<[1, 4] : tensor<2xi64>>, mask = #nopt.array<[4294967292, 4294967294] : tensor<2xi64>>, route = #nopt.array<[128, 256] : tensor<2xi64>>}
}
