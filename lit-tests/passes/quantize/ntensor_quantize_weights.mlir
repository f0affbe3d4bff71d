// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4},ntensor-quantize-weights{bits=4}' | filecheck %s

// Four bits are -7 to 7. The scale is 3.5 / 7 = 0.5: 1.3 / 0.5 = 2.6 is 3, which is 1.5; -0.2 / 0.5 = -0.4 is 0. The errors are 0.2,
// 0.2 and 0: in f32 1.3 is 1.2999999523162842 and -0.2 is -0.20000000298023224; mean (0.20000004768371582 + 0.20000000298023224) / 3.
// The bias stays. The second time the weights are on their grid: nothing changes, and nothing is recorded.
// CHECK-LABEL: ntensor.network @fc
// CHECK-SAME: approximations = [#ntensor.approximation<"ntensor-quantize-weights{bits=4}", "weights quantized to 4 bits, one scale per tensor", ["fc"], 0.20000004768371582 : f64, 0.13333335022131601 : f64, "1">]}
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[3.5, 1.5, 0.0]] : tensor<1x3xf32>>, bias = #nopt.array<[0.3] : tensor<1xf32>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>}
ntensor.network @fc("input" %x: tensor<3xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[3.5, 1.3, -0.2]] : tensor<1x3xf32>>, bias = #nopt.array<[0.3] : tensor<1xf32>>} : tensor<3xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// What gives integers has integers for weights, which stand for something already: it stays, and nothing is recorded.
// CHECK-LABEL: ntensor.network @integers
// CHECK-SAME: attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[100, 3]] : tensor<1x2xi16>>} : tensor<2xi1> -> tensor<1xi32>
ntensor.network @integers("input" %x: tensor<2xi1>) -> ("output": tensor<1xi32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 3]] : tensor<1x2xi16>>} : tensor<2xi1> -> tensor<1xi32>
  ntensor.output %y : tensor<1xi32>
}
