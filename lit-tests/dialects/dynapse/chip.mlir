// A chip is printed as it is read, with the device as a record.
// RUN: nopt %S/inputs/dynapse.mlir | filecheck %s
// RUN: nopt %S/inputs/dynapse.mlir | nopt - | filecheck %s
// RUN: nopt %S/inputs/dynapse.mlir --print-op-generic | nopt - | filecheck %s

// CHECK:        dynapse.chip @net attributes {machine.device = #nopt.device<"dynapse/se2", digest = {{.*}}>, tick_ns = 1000000 : i64} {
// CHECK-NEXT:     dynapse.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi1> {
// CHECK-NEXT:       dynapse.destinations {neuron = #nopt.array<[0, 1, 2] : tensor<3xi32>>, chip = #nopt.array<[0, 0, 0] : tensor<3xi32>>, cores = #nopt.array<[1, 1, 1] : tensor<3xi32>>, tag = #nopt.array<[0, 1, 2] : tensor<3xi32>>}
// CHECK:          dynapse.core 0 attributes {axons = 3 : i64} {
// CHECK-NEXT:       dynapse.neurons "one/0" of "one" @dynapse attributes {{.*}}currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>
// CHECK-NEXT:         dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
// CHECK-NEXT:         dynapse.destinations {{.*}}tag = #nopt.array<[3, 4] : tensor<2xi32>>}
// CHECK:          dynapse.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>

// Without a device only the structure is checked.
// RUN: mutate 's/, machine.device = "dynapse.se2"//' 's/x" at 0 attr/x" at 9999 attr/' 's/\[3, 4\] : tensor<2xi32>>}/[9993, 9994] : tensor<2xi32>>}/' %S/inputs/dynapse.mlir | nopt - | filecheck %s --check-prefix=FREE
// FREE:         dynapse.input "x/0" of "x" at 9999
// FREE:         tag = #nopt.array<[9993, 9994] : tensor<2xi32>>}
