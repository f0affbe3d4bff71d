// Each source neuron has an axon for each delay; axons of equal weights share a type, and each neuron has one row. The hidden neurons send to axons 4 to 6.
// RUN: nopt compile %S/inputs/net.mlir --target truenorth/ns1e --dt 1ms --like euler --reset value --until truenorth -o %t && filecheck %s < %t/ir/06-convert-machine-to-truenorth.mlir
// CHECK:      truenorth.packets {neuron = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, core = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, axon = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, delay = #nopt.array<[1, 1, 1, 1] : tensor<4xi32>>}
// CHECK:      truenorth.core 0 attributes {axons = 7 : i64,
// CHECK-NEXT:   truenorth.neurons "if1/0" of "if1" attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>
// v > 1 with weights of 1/128: V >= 129.
// CHECK-SAME:     threshold = #nopt.array<129 : tensor<i32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<1 : tensor<i32>>
// CHECK-NEXT:     truenorth.destinations {row = #nopt.array<[0, 1, 2] : tensor<3xi32>>, dx = #nopt.array<[0, 0, 0] : tensor<3xi32>>, dy = #nopt.array<[0, 0, 0] : tensor<3xi32>>, axon = #nopt.array<[4, 5, 6] : tensor<3xi32>>, tick = #nopt.array<[1, 1, 1] : tensor<3xi32>>}
// The output bus is below the 64 lines of cores.
// CHECK:          truenorth.destinations {row = #nopt.array<[0, 1] : tensor<2xi32>>, dx = #nopt.array<[0, 0] : tensor<2xi32>>, dy = #nopt.array<[64, 64] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, tick = #nopt.array<[1, 1] : tensor<2xi32>>}

// A neuron with two destinations has two rows: hidden neurons that are an output, too.
// RUN: rm -rf %t && nopt compile %S/inputs/observed.mlir --target truenorth/ns1e --dt 1ms --like euler --reset value --until truenorth -o %t && filecheck %s --check-prefix=COPIES < %t/ir/06-convert-machine-to-truenorth.mlir
// COPIES:       truenorth.neurons "if1/0" of "if1" attributes {index = #nopt.array<[0, 0, 1, 1, 2, 2] : tensor<6xi32>>
// COPIES-NEXT:    truenorth.destinations {row = #nopt.array<[0, 1, 2, 3, 4, 5] : tensor<6xi32>>, dx = #nopt.array<[0, 0, 0, 0, 0, 0] : tensor<6xi32>>, dy = #nopt.array<[64, 0, 64, 0, 64, 0] : tensor<6xi32>>

// RANC has potentials of 9 bits that wrap, which another rule than the user's is: the device permits it, and the record names it. The scale leaves room
// for the sums of a tick, and the reset below the negative threshold for the largest inhibition: weights of 1/64, 256 - 64.
// RUN: rm -rf %t && nopt compile %S/inputs/net.mlir --target truenorth/ranc --dt 1ms --like euler --reset value --approximate bound --until truenorth -o %t -v | filecheck %s --check-prefix=BOUND
// RUN: cat %t/ir/*-convert-machine-to-truenorth.mlir | filecheck %s --check-prefix=RANC
// BOUND:        @euler_if.value becomes @ranc.value.below.spike: decay, leak, threshold exact; bound differs (v is bounded otherwise)
// RANC:         potential_bits = 9 : i64, overflow = "wrap", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 5] : tensor<2xi32>>}
// RANC:         threshold = #nopt.array<65 : tensor<i32>>, negative_threshold = #nopt.array<192 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>
