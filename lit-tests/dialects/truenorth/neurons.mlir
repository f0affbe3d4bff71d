// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null

// Several rows of one neuron are copies with different destinations; parameters are one number, or one for each row.
// RUN: nopt %S/inputs/truenorth.mlir | filecheck %s
// CHECK:      truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<{{\[\[}}1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<{{\[\[}}7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>

// -----

// The three reset modes, and both forms below the negative threshold.
truenorth.chip @net attributes {tick_ns = 1000000 : i64, potential_bits = 20 : i64, overflow = "saturate", neuron_reset_type = 0 : i64, bus = #nopt.array<[0, 64] : tensor<2xi32>>, machine.device = "truenorth/ns1e"} {
  truenorth.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    truenorth.packets {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>}
  }
  truenorth.core 0 attributes {axons = 2 : i64, types = #nopt.array<[0, 1] : tensor<2xi32>>} {
    truenorth.neurons "one/0" of "one" attributes {index = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, crossbar = #nopt.array<[[1, 1], [1, 1], [0, 1], [0, 1]] : tensor<4x2xi8>>, weights = #nopt.array<[[7, -3, 0, 0], [7, -3, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0]] : tensor<4x4xi32>>, parameters = {leak = #nopt.array<-1 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[9, 9, 300, 300] : tensor<4xi32>>, negative_threshold = #nopt.array<262143 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<2 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<2xi1> {
      truenorth.destinations {row = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, dx = #nopt.array<[1, 0, 1, 0] : tensor<4xi32>>, dy = #nopt.array<[0, 64, 0, 64] : tensor<4xi32>>, axon = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tick = #nopt.array<[1, 1, 15, 1] : tensor<4xi32>>}
    }
  }
  truenorth.core 1 attributes {axons = 2 : i64, types = #nopt.array<[0, 0] : tensor<2xi32>>} {
    truenorth.neurons "two/0" of "two" attributes {index = #nopt.array<[0] : tensor<1xi32>>, crossbar = #nopt.array<[[1, 1]] : tensor<1x2xi8>>, weights = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi32>>, parameters = {leak = #nopt.array<0 : tensor<i32>>, leak_reversal = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>, negative_threshold = #nopt.array<0 : tensor<i32>>, reset_potential = #nopt.array<0 : tensor<i32>>, reset_mode = #nopt.array<0 : tensor<i32>>, negative_mode = #nopt.array<0 : tensor<i32>>, random_weights = #nopt.array<0 : tensor<i32>>, random_leak = #nopt.array<0 : tensor<i32>>, threshold_mask = #nopt.array<0 : tensor<i32>>}, potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1> {
      truenorth.destinations {row = #nopt.array<[0] : tensor<1xi32>>, dx = #nopt.array<[-1] : tensor<1xi32>>, dy = #nopt.array<[64] : tensor<1xi32>>, axon = #nopt.array<[2] : tensor<1xi32>>, tick = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
  truenorth.output "first" of "one" {delay = #nopt.array<0 : tensor<i64>>, rows = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1>
  truenorth.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>, rows = #nopt.array<[2] : tensor<1xi32>>} : tensor<1xi1>
}
