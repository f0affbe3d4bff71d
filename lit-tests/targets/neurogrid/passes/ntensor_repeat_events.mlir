// Weights that are numbers of events already stay as they are.
// RUN: nopt %S/../inputs/weights.mlir -p 'ntensor-repeat-events{max-events=3}' | filecheck %s --check-prefix=SAME
// SAME-NOT:  #ntensor.approximation
// SAME:      weight = #nopt.array<{{\[\[}}1, -1, 2], [0, -3, 3]] : tensor<2x3xi16>>

// With one event, the excitatory weights 0.5, 1 and 1.5 and the bias 0.5 are one value or none. Both larger ones have an event, of their mean: the
// squared error 2 * 0.5^2 + 2 * 0.25^2 = 0.625 is below that of one value for all, 2 * 0.375^2 + 0.125^2 + 0.625^2 = 0.6875. Of the inhibitory
// weights 0.25 and 0.75 only the larger one has an event: 0.25^2 is below 2 * 0.25^2.
// RUN: nopt %S/../inputs/weights.mlir -p 'ntensor-repeat-events{max-events=1}' | filecheck %s --check-prefix=ONE
// ONE:       #ntensor.approximation<"ntensor-repeat-events{max-events=1}", "weights rounded to at most 1 event", ["fc"], 5.000000e-01 : f64
// ONE:       ntensor.linear "fc" %{{.*}} {weight = #nopt.array<{{\[\[}}0, 0, 1], [0, -1, 1]] : tensor<2x3xi16>>, bias = #nopt.array<[0.0, 0.0] : tensor<2xf64>>, quantized = #ntensor.quantized<2, #nopt.array<{{\[\[}}1.25, 1.25, 1.25], [1.25, 0.75, 1.25]] : tensor<2x3xf64>>>}

// A strong weight and weak ones: 7 events of one value do not hold both.
// RUN: nopt %S/../../../analysis/rounding_losses-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-repeat-events' -o /dev/null 2>&1 | filecheck %s --check-prefix=LOST
// LOST:      warning[ANA027]: all biases become 0
// LOST:      warning[ANA028]: all weights of a row become zero
// LOST:        found: 1 of 2: row 1; the largest weight there is 3e-09
// LOST:      warning[ANA029]: most weights of a row become zero
