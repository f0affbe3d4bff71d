// A chip is printed as it is read, with the device as a record.
// RUN: nopt %S/inputs/spinnaker.mlir | filecheck %s
// RUN: nopt %S/inputs/spinnaker.mlir | nopt - | filecheck %s

// CHECK:        spinnaker.chip @net attributes {machine.device = #nopt.device<"spinnaker/spinn3", digest = {{.*}}>, tick_ns = 1000000 : i64} {
// CHECK-NEXT:     spinnaker.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>, key = 0 : i64, mask = 4294967292 : i64, cores = #nopt.array<[0] : tensor<1xi32>>} : tensor<3xi1> {
// CHECK:          spinnaker.core 0 attributes {axons = 6 : i64} {
// CHECK-NEXT:       spinnaker.neurons "one/0" of "one" @cell attributes {{.*}}index_bits = 1 : i64, delay_bits = 0 : i64
// CHECK-NEXT:         spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<{{.*}} : tensor<3x5xi32>>}
// CHECK-NEXT:         spinnaker.rows "fc1.inhibitory"
// CHECK:          spinnaker.router 0 {key = #nopt.array<[0, 4] : tensor<2xi64>>, mask = #nopt.array<[4294967292, 4294967294] : tensor<2xi64>>, route = #nopt.array<[128, 256] : tensor<2xi64>>}
// CHECK-NEXT:     spinnaker.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>

// Without a device only the structure is checked.
// RUN: mutate 's/, machine.device = "spinnaker.spinn3"//' 's/x" at 0 attr/x" at 9999 attr/' %S/inputs/spinnaker.mlir | nopt - | filecheck %s --check-prefix=FREE
// FREE:         spinnaker.input "x/0" of "x" at 9999

