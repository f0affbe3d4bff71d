// The excitatory weights are 1, 2 and 3 times 0.5, and the inhibitory ones 1 and 3 times 0.25. Scales follow the signs.
// RUN: nopt %S/../inputs/weights.mlir -p ntensor-count-events | filecheck %s
// RUN: nopt %S/../inputs/weights.mlir -p ntensor-count-events,ntensor-count-events | filecheck %s
// CHECK-NOT:  #ntensor.approximation
// CHECK:      ntensor.linear "fc" %{{.*}} {weight = #nopt.array<{{\[\[}}1, -1, 2], [0, -3, 3]] : tensor<2x3xi16>>, bias = #nopt.array<[0.5, 0.0] : tensor<2xf64>>, quantized = #ntensor.quantized<6, #nopt.array<{{\[\[}}0.5, 0.25, 0.5], [0.5, 0.25, 0.5]] : tensor<2x3xf64>>>}

// 3 * 0.1 is 0.30000000000000004, not 0.3. The rounding is recorded.
// RUN: mutate 's/\[0.5, -0.25, 1.0\], \[0.0, -0.75, 1.5\]/[0.1, -0.25, 0.3], [0.0, -0.75, 0.2]/' 's/\[0.5, 0.0\]/[0.1, 0.0]/' %S/../inputs/weights.mlir | nopt - -p ntensor-count-events | filecheck %s --check-prefix=NEAR
// NEAR:       #ntensor.approximation<"ntensor-count-events", "weights as numbers of events", ["fc"], 5.{{[0-9]*}}e-17 : f64
// NEAR:       weight = #nopt.array<{{\[\[}}1, -1, 3], [0, -3, 2]] : tensor<2x3xi16>>
