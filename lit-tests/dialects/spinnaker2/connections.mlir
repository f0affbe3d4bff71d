// A delay is one number for all connections, or one for each.
// RUN: nopt %S/inputs/spinnaker2.mlir | filecheck %s
// RUN: mutate '/machine.device/s/, machine.device = "spinnaker2.chip"//' 's/model = "lif_no_delay"/model = "lif"/' 's/delay = #nopt.array<0 : tensor<i32>>}$/delay = #nopt.array<[0, 3, 0, 7] : tensor<4xi32>>}/' '/fc1/s/\[0, 3, 0, 7\] : tensor<4xi32>/2 : tensor<i32>/' %S/inputs/spinnaker2.mlir | nopt - | filecheck %s --check-prefix=EACH
// CHECK:      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
// EACH:       spinnaker2.connections "fc1" of "x" {{.*}}delay = #nopt.array<2 : tensor<i32>>}
// EACH:       spinnaker2.connections "fc2" of "one" {{.*}}delay = #nopt.array<[0, 3, 0, 7] : tensor<4xi32>>}
