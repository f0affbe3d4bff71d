// Several rows of one neuron are copies with different destinations; parameters are one number, or one for each row.
// RUN: nopt %S/inputs/truenorth.mlir | filecheck %s
// CHECK:      truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<{{\[\[}}1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<{{\[\[}}7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>

// The three reset modes, and both forms below the negative threshold.
// RUN: mutate 's/reset_mode = #nopt.array<1 :/reset_mode = #nopt.array<2 :/' 's/negative_mode = #nopt.array<1 :/negative_mode = #nopt.array<0 :/' %S/inputs/truenorth.mlir | nopt - -o /dev/null
