// RUN: nopt %s --split-input-file -p 'ntensor-prune-weights' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-prune-weights{per=network}' | filecheck %s --check-prefix=ALL

// Two of five weights become 0, because 0.5 * 5 is rounded down: 0.5 and the first 1. Of the four quantized weights 1.5, 0.25, -0.5, 1 the two smallest
// become 0, the zero point 1: (7 - 1) * 0.25 = 1.5. The errors are 0.5, 1, 0.25 and 0.5 among nine weights, 0.25 on average.
// CHECK-LABEL: ntensor.network @net
// CHECK-SAME:  <"ntensor-prune-weights", "weights pruned: 4 of 9 become 0, the smallest of each op", ["fc", "grid"], 1.000000e+00 : f64, 2.500000e-01 : f64, "1">
// CHECK-NEXT:  ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[-2.0, 0.0, 0.0, 1.0, 3.0]]
// CHECK-NEXT:  ntensor.linear "grid" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[7, 1, 1, 5]]
// CHECK-SAME:  quantized = #ntensor.quantized

// Four of all nine: 0.25, 0.5, -0.5 and the first 1. The record counts the weights of both ops.
// ALL-LABEL: ntensor.network @net
// ALL-SAME:  <"ntensor-prune-weights{per=network}", "weights pruned: 4 of 9 become 0, the smallest of all", ["fc", "grid"], 1.000000e+00 : f64, 2.500000e-01 : f64, "1">
// ALL-NEXT:  ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// ALL-SAME{LITERAL}: [[-2.0, 0.0, 0.0, 1.0, 3.0]]
// ALL-NEXT:  ntensor.linear "grid" %{{.+}} {weight = #nopt.array<
// ALL-SAME{LITERAL}: [[7, 1, 1, 5]]
ntensor.network @net("x" %x: tensor<5xi1>, "y" %y: tensor<4xi1>) -> ("a": tensor<1xf64>, "b": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[-2.0, 0.5, 1.0, 1.0, 3.0]] : tensor<1x5xf64>>} : tensor<5xi1> -> tensor<1xf64>
  %b = ntensor.linear "grid" %y {weight = #nopt.array<[[7, 2, -1, 5]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.25 : tensor<f64>>, #nopt.array<1 : tensor<i8>>>} : tensor<4xi1> -> tensor<1xf64>
  ntensor.output %a, %b : tensor<1xf64>, tensor<1xf64>
}

// -----

// Zeros are counted, so nothing is left to do and nothing is recorded. Integer results have no unit, and their weights are kept.
// CHECK-LABEL: ntensor.network @done
// CHECK-SAME:  attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:  ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[0.0, 0.0, 1.0, 2.0]]
// CHECK-NEXT:  ntensor.linear "integers" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[1, 2, 3, 4]]
ntensor.network @done("input" %x: tensor<4xi1>) -> ("output": tensor<1xf64>, "sum": tensor<1xi32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.0, 0.0, 1.0, 2.0]] : tensor<1x4xf64>>} : tensor<4xi1> -> tensor<1xf64>
  %z = ntensor.linear "integers" %x {weight = #nopt.array<[[1, 2, 3, 4]] : tensor<1x4xi8>>} : tensor<4xi1> -> tensor<1xi32>
  ntensor.output %y, %z : tensor<1xf64>, tensor<1xi32>
}
