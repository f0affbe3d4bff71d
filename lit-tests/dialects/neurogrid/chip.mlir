// A chip is printed as it is read, with the device as a record.
// RUN: nopt %S/inputs/neurogrid.mlir | filecheck %s
// RUN: nopt %S/inputs/neurogrid.mlir | nopt - | filecheck %s
// RUN: nopt %S/inputs/neurogrid.mlir --print-op-generic | nopt - | filecheck %s

// CHECK:        neurogrid.chip @net attributes {machine.device = #nopt.device<"neurogrid/board", digest = {{.*}}>, tick_ns = 1000000 : i64} {
// CHECK-NEXT:     neurogrid.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi1> {
// CHECK-NEXT:       neurogrid.terminals "fc1" {neuron = {{.*}}events = #nopt.array<[1, 2, 1, 1] : tensor<4xi8>>}
// CHECK:          neurogrid.core 0 attributes {axons = 0 : i64} {
// CHECK-NEXT:       neurogrid.somas "one/0" of "one" @soma attributes {index = {{.*}}arbors = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> {
// CHECK:          neurogrid.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>

// Without a device only the structure is checked.
// RUN: mutate 's/, machine.device = "neurogrid.board"//' 's/x" at 0 attr/x" at 9999 attr/' %S/inputs/neurogrid.mlir | nopt - | filecheck %s --check-prefix=FREE
// FREE:         neurogrid.input "x/0" of "x" at 9999
