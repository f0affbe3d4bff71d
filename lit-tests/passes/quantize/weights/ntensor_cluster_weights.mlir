// RUN: nopt %s --split-input-file -p 'ntensor-cluster-weights{count=3}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-cluster-weights{count=3},ntensor-cluster-weights{count=3}' | filecheck %s

// Zero is one of the three values; the others are the means of -1.5, -1.25, -1 and of 0.5, 0.5, 2: -1.25 and 1. The errors are 0.25, 0,
// 0.25, 0, 0.5, 0.5, 1: at most 1, their mean is 2.5 / 7. The second pass finds three values. The weights are no longer integers
// times a scale: they are reals of the type of the result, without a scale.
// CHECK-LABEL: ntensor.network @fc
// CHECK-SAME: approximations = [#ntensor.approximation<"ntensor-cluster-weights{count=3}", "weights clustered to 3 values for each op", ["fc"], 1.000000e+00 : f64, 0.35714285714285715 : f64, "1">]}
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[-1.25, -1.25, -1.25, 0.0, 1.0, 1.0, 1.0]] : tensor<1x7xf64>>} :
ntensor.network @fc("input" %x: tensor<7xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[-6, -5, -4, 0, 2, 2, 8]] : tensor<1x7xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.25 : tensor<f64>>>} : tensor<7xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// Weights with three values are unchanged; integer weights already have a scale. Nothing is recorded.
// CHECK-LABEL: ntensor.network @few
// CHECK-SAME: attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[1, 2, 1, 3]]
// CHECK-SAME: quantized
// CHECK-NEXT: ntensor.linear "integers" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[1, 2, 3, 4]]
ntensor.network @few("input" %x: tensor<4xi1>) -> ("output": tensor<1xf64>, "sum": tensor<1xi32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2, 1, 3]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.1 : tensor<f64>>>} : tensor<4xi1> -> tensor<1xf64>
  %z = ntensor.linear "integers" %x {weight = #nopt.array<[[1, 2, 3, 4]] : tensor<1x4xi8>>} : tensor<4xi1> -> tensor<1xi32>
  ntensor.output %y, %z : tensor<1xf64>, tensor<1xi32>
}
