// Weights at both ends of the range of each sign mode, in steps of their bits.
// RUN: mutate 's/\[\[6, -14\], \[0, 10\]\]/[[254, -256], [0, 10]]/' %S/inputs/loihi2.mlir | nopt - | filecheck %s --check-prefix=MIXED
// RUN: mutate 's/<mixed>/<excitatory>/' 's/\[\[6, -14\], \[0, 10\]\]/[[255, 1], [0, 10]]/' %S/inputs/loihi2.mlir | nopt - | filecheck %s --check-prefix=EXCITATORY
// RUN: mutate 's/<mixed>/<inhibitory>/' 's/\[\[6, -14\], \[0, 10\]\]/[[-255, -1], [0, 0]]/' %S/inputs/loihi2.mlir | nopt - | filecheck %s --check-prefix=INHIBITORY
// RUN: mutate 's/dense8", num_weight_bits = 8/dense1", num_weight_bits = 1/' 's/\[\[6, -14\], \[0, 10\]\]/[[0, -256], [0, 0]]/' %S/inputs/loihi2.mlir | nopt - | filecheck %s --check-prefix=BINARY
// MIXED:      sign_mode = #loihi2.sign_mode<mixed>
// MIXED-SAME: weight = #nopt.array<{{\[}}[254, -256], [0, 10]] : tensor<2x2xi16>>
// EXCITATORY: weight = #nopt.array<{{\[}}[255, 1], [0, 10]] : tensor<2x2xi16>>
// INHIBITORY: weight = #nopt.array<{{\[}}[-255, -1], [0, 0]] : tensor<2x2xi16>>
// BINARY:     weight = #nopt.array<{{\[}}[0, -256], [0, 0]] : tensor<2x2xi16>>

// A delay of each synapse.
// RUN: mutate 's/delay = #nopt.array<0 : tensor<i32>>}/delay = #nopt.array<[[0, 1], [2, 3]] : tensor<2x2xi32>>}/' %S/inputs/loihi2.mlir | nopt - | filecheck %s --check-prefix=EACH
// EACH:       delay = #nopt.array<{{\[}}[0, 1], [2, 3]] : tensor<2x2xi32>>}
