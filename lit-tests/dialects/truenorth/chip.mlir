// A chip is printed as it is read, with the device as a record.
// RUN: nopt %S/inputs/truenorth.mlir | filecheck %s
// RUN: nopt %S/inputs/truenorth.mlir | nopt - | filecheck %s

// CHECK:        truenorth.chip @net attributes {machine.device = #nopt.device<"truenorth/ns1e", digest = {{.*}}>, tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>} {
// CHECK-NEXT:     truenorth.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
// CHECK-NEXT:       truenorth.packets {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>}
// CHECK:          truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
// CHECK-NEXT:       truenorth.neurons "one/0" of "one" attributes
// CHECK-NEXT:         truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>
// CHECK:          truenorth.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>, rows = #nopt.array<[2] : tensor<1xi32>>} : tensor<1xi1>

// Without a device only the structure is checked.
// RUN: mutate 's/, machine.device = "truenorth.ns1e"//' 's/at 0 attr/at 9999 attr/' %S/inputs/truenorth.mlir | nopt - | filecheck %s --check-prefix=FREE
// FREE:         truenorth.input "x/0" of "x" at 9999

// Random modes have registers; the compiler leaves them off.
// RUN: mutate 's/random_weights = #nopt.array<0 :/random_weights = #nopt.array<15 :/' 's/random_leak = #nopt.array<0 :/random_leak = #nopt.array<1 :/' 's/threshold_mask = #nopt.array<0 :/threshold_mask = #nopt.array<31 :/' %S/inputs/truenorth.mlir | nopt - -o /dev/null
