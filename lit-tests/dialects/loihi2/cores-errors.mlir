// A place that is not in the list of the core.
// RUN: mutate 's/threshold = #nopt.array<\[0, 1\]/threshold = #nopt.array<[0, 2]/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=THRESHOLD
// RUN: mutate 's/profile = #nopt.array<0 : tensor<i32>>/profile = #nopt.array<1 : tensor<i32>>/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PROFILE
// THRESHOLD:      error[LOI002]: a compartment has no configuration
// THRESHOLD-NEXT:   at: loihi2.compartments "lif1/0"
// THRESHOLD-NEXT:   expected: threshold below 2
// THRESHOLD-NEXT:   found: 2
// THRESHOLD-NEXT:   help: compile the network again
// PROFILE:        error[LOI002]: a compartment has no configuration
// PROFILE:          expected: profile below 1

// Lists of another rank, and places of another shape.
// RUN: mutate 's/du = #nopt.array<\[4095\] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<\[25, 30/du = #nopt.array<4095 : tensor<i64>>}, thresholds = {vth = #nopt.array<[25, 30/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=RANK
// RUN: mutate 's/threshold = #nopt.array<\[0, 1\] : tensor<2xi32>/threshold = #nopt.array<[0] : tensor<1xi32>/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHAPE
// RANK:           error[LOI002]: profiles have different shapes
// RANK:             expected: one axis, the same for each
// RANK-NEXT:        found: []
// SHAPE:          error[CHI002]: threshold has another shape
// SHAPE:            expected: [] or [2]

// A parameter of the update that no list and no register has.
// RUN: mutate 's/registers = {bias = #nopt.array<5 : tensor<i64>>}/registers = {}/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=REGISTER
// REGISTER:       error[CHI002]: the parameters are not those of the update
// REGISTER:         expected: du, vth, bias
// REGISTER-NEXT:    found: du, vth
