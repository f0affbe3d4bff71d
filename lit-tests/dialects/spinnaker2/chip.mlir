// A chip is printed as it is read, with the device as a record.
// RUN: nopt %S/inputs/spinnaker2.mlir | filecheck %s
// RUN: nopt %S/inputs/spinnaker2.mlir | nopt - | filecheck %s
// RUN: nopt %S/inputs/spinnaker2.mlir --print-op-generic | nopt - | filecheck %s

// CHECK:        spinnaker2.chip @net attributes {machine.device = #nopt.device<"spinnaker2/chip", digest = {{.*}}>, tick_ns = 1000000 : i64} {
// CHECK-NEXT:     spinnaker2.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi1> {
// CHECK:          spinnaker2.core 0 attributes {axons = 3 : i64} {
// CHECK-NEXT:       spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "lif_no_delay", reset = "reset_to_v_reset", {{.*}}
// CHECK-NEXT:         spinnaker2.connections "fc1" of "x" {{.*}}weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
// CHECK:          spinnaker2.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>

// Without a device only the structure is checked.
// RUN: mutate 's/, machine.device = "spinnaker2.chip"//' 's/x" at 0 attr/x" at 9999 attr/' %S/inputs/spinnaker2.mlir | nopt - | filecheck %s --check-prefix=FREE
// FREE:         spinnaker2.input "x/0" of "x" at 9999
