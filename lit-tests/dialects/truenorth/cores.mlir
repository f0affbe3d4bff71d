// A core lists the types of its axons; a packet of an input arrives on an axon after a delay.
// RUN: nopt %S/inputs/truenorth.mlir | filecheck %s
// CHECK:      truenorth.packets {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>}
// CHECK:      truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {

// An output that forwards an input has no rows of the output bus.
// RUN: mutate 's/truenorth.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>, rows = #nopt.array<\[2\] : tensor<1xi32>>} : tensor<1xi1>/truenorth.output "y" of "x" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>/' %S/inputs/truenorth.mlir | nopt - | filecheck %s --check-prefix=INPUT
// INPUT:      truenorth.output "y" of "x" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
