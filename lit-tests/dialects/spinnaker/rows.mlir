// 4096 << 16 is the weight of a word for neuron 0 of the excitatory receptor; the receptor of 16384 << 16 | 1 << 1 is the inhibitory one.
// RUN: nopt %S/inputs/spinnaker.mlir | filecheck %s
// CHECK:      spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<{{\[}}[0, 2, 0, 268435456, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
// CHECK-NEXT: spinnaker.rows "fc1.inhibitory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<{{\[}}[0, 0, 0, 0], [0, 1, 0, 1073741826], [0, 0, 0, 0]] : tensor<3x4xi32>>}
