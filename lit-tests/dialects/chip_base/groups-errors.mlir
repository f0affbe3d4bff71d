// States that the update does not have, and of another shape.
// RUN: mutate 's/bias = #nopt.array<0 : tensor<i64>>}, initial = {}/bias = #nopt.array<0 : tensor<i64>>}, initial = {v = #nopt.array<[1, 2, 3] : tensor<3xi64>>}/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHAPE
// RUN: mutate 's/bias = #nopt.array<0 : tensor<i64>>}, initial = {}/bias = #nopt.array<0 : tensor<i64>>}, initial = {v = #nopt.array<1 : tensor<i64>>}/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=STATE
// SHAPE:      error[CHI002]: state v has another shape
// SHAPE-NEXT:   at: loihi2.compartments "lif1/0"
// SHAPE-NEXT:   expected: [] or [2]
// SHAPE-NEXT:   found: [3]
// STATE:      error[CHI002]: the states are not those of the update
// STATE:        expected: none
// STATE-NEXT:   found: v

// A core has a number of axons.
// RUN: mutate 's/axons = 2 : i64/axons = -2 : i64/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NUMBER
// NUMBER:     error[CHI002]: the number of axons is negative
// NUMBER-NEXT:  at: loihi2.neuro_core
