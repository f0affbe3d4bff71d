// The three layouts of tables, with all that a table may have.
// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s

// CHECK:        asic.dense "a" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<{{\[}}[1, 2, 3, 4], [5, 6, 7, 8]] : tensor<2x4xi8>>, delay = #nopt.array<{{\[}}[1], [2]] : tensor<2x1xi32>>, bias = #nopt.array<3 : tensor<i8>>, first = #nopt.array<2 : tensor<i64>>, exponent = #nopt.array<-1 : tensor<i64>>}
// CHECK-NEXT:   asic.sparse "b" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[1, 2] : tensor<2xi16>>, delay = #nopt.array<0 : tensor<i32>>, sums = f32, divisor = 4 : i64, scale = #nopt.array<0.5 : tensor<f64>>, weights = f32, axon = #nopt.array<[0, 1] : tensor<2xi32>>, neuron = #nopt.array<[3, 0] : tensor<2xi32>>}
// CHECK-NEXT:   asic.kernel "c" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<{{\[}}{{\[}}{{\[}}[1, -1]]]] : tensor<1x1x1x2xi8>>, delay = #nopt.array<0 : tensor<i32>>, windows = [#asic.window<
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, params = {}, initial = {}} : tensor<4xi1> {
      asic.dense "a" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[1, 2, 3, 4], [5, 6, 7, 8]] : tensor<2x4xi8>>, delay = #nopt.array<[[1], [2]] : tensor<2x1xi32>>, bias = #nopt.array<3 : tensor<i8>>, first = #nopt.array<2 : tensor<i64>>, exponent = #nopt.array<-1 : tensor<i64>>}
      asic.sparse "b" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[1, 2] : tensor<2xi16>>, delay = #nopt.array<0 : tensor<i32>>, sums = f32, divisor = 4 : i64, scale = #nopt.array<0.5 : tensor<f64>>, weights = f32, axon = #nopt.array<[0, 1] : tensor<2xi32>>, neuron = #nopt.array<[3, 0] : tensor<2xi32>>}
      asic.kernel "c" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[[[1, -1]]]] : tensor<1x1x1x2xi8>>, delay = #nopt.array<0 : tensor<i32>>, windows = [#asic.window<#nopt.array<[1, 1, 5] : tensor<3xi64>>, 1 : i64, #nopt.array<[1, 2] : tensor<2xi64>>, #nopt.array<[1, 1] : tensor<2xi64>>, #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, #nopt.array<[1, 1] : tensor<2xi64>>, 1 : i64, 0 : i64>], sources = #nopt.array<[0, 4] : tensor<2xi32>>}
    }
  }
  asic.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<4xi1>
}
