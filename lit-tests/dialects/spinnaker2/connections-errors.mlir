// Connections are sorted by pre, then by post.
// RUN: mutate 's/pre = #nopt.array<\[0, 0, 1, 1, 2\]/pre = #nopt.array<[0, 1, 0, 1, 2]/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ORDER
// ORDER:       error[CHI001]: connections are not sorted
// ORDER-NEXT:    at: spinnaker2.connections "fc1"
// ORDER-NEXT:    expected: by pre, then by post
// ORDER-NEXT:    found: another order

// Each has a pre, a post and a weight, and a delay of its own or that of all.
// RUN: mutate 's/post = #nopt.array<\[0, 1, 0, 1, 1\] : tensor<5xi32>/post = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHAPE
// RUN: mutate '/fc1/s/delay = #nopt.array<0 : tensor<i32>/delay = #nopt.array<[0, 1] : tensor<2xi32>/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DELAYS
// RUN: mutate '/fc1/s/delay = #nopt.array<0 : tensor<i32>/delay = #nopt.array<-1 : tensor<i32>/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEGATIVE
// SHAPE:       error[CHI001]: post has another shape
// DELAYS:      error[CHI001]: delay has another shape
// DELAYS:        expected: [] or [5]
// DELAYS-NEXT:   found: [2]
// NEGATIVE:    error[CHI001]: delay has other numbers

// Weights are integers.
// RUN: mutate 's/\[32, 48, -16, 16, 127\] : tensor<5xi8>/[32.0, 48.0, -16.0, 16.0, 127.0] : tensor<5xf32>/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=WEIGHT
// WEIGHT:      error[CHI001]: weight has other numbers
// WEIGHT:        expected: integers
// WEIGHT-NEXT:   found: float32

// A post is a place in the group.
// RUN: mutate 's/post = #nopt.array<\[0, 1, 0, 1, 1\]/post = #nopt.array<[0, 1, 0, 1, 2]/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=POST
// POST:        error[CHI001]: post is not in the group
// POST:          expected: a neuron below 2
// POST-NEXT:     found: 2
