// A chip is printed as it is read, with the device as a record.
// RUN: nopt %S/inputs/chip.mlir | filecheck %s
// RUN: nopt %S/inputs/chip.mlir | nopt - | filecheck %s

// CHECK:        asic.chip @net attributes {machine.device = #nopt.device<"asic/mesh", digest = {{.*}}>, tick_ns = 1000000 : i64} {
// CHECK-NEXT:     asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
// CHECK-NEXT:       asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
// CHECK:          asic.core 0 attributes {axons = 2 : i64} {
// CHECK-NEXT:       asic.neurons "lif1/0" of "lif1" @pass attributes
// CHECK-NEXT:         asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>
// CHECK:          asic.route "input/0" {links = #nopt.array<{{\[}}[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>
// CHECK-NEXT:     asic.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<3xi1>

// Without a device only the structure is checked.
// RUN: mutate 's/, machine.device = "asic.mesh"//' 's/at 0 attr/at 999 attr/' %S/inputs/chip.mlir | nopt - | filecheck %s --check-prefix=FREE
// FREE:         asic.input "input/0" of "input" at 999

// Exactly at the limits of the device: the last core, the widest weight.
// RUN: mutate 's/-7/-128/' %S/inputs/chip.mlir | nopt - | filecheck %s --check-prefix=WIDEST
// WIDEST:       weight = #nopt.array<{{\[}}[3, -128], [0, 5]] : tensor<2x2xi8>>
// RUN: mutate 's/asic.core 2/asic.core 1/' 's/core = #nopt.array<.0, 0, 2./core = #nopt.array<[0, 0, 1]/' %S/inputs/chip.mlir | nopt - | filecheck %s --check-prefix=LINK
// LINK:         asic.core 1
