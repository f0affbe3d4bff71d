// Synapses are sorted by neuron, then by tag, and a neuron may have several with the same tag. A neuron may have destinations on several cores.
// RUN: nopt %S/inputs/dynapse.mlir | filecheck %s
// RUN: mutate 's/tag = #nopt.array<\[3, 4, 3, 4\]/tag = #nopt.array<[3, 3, 4, 4]/' 's/cores = #nopt.array<\[2, 2\]/cores = #nopt.array<[15, 2]/' %S/inputs/dynapse.mlir | nopt - | filecheck %s --check-prefix=SAME
// CHECK:      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
// CHECK-NEXT: dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[2, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
// SAME:       dynapse.destinations {{.*}}cores = #nopt.array<[15, 2] : tensor<2xi32>>
// SAME:       dynapse.synapses {{.*}}tag = #nopt.array<[3, 3, 4, 4] : tensor<4xi32>>
