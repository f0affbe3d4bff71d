// An unsigned grid has the integers 0 to 2^bits - 1, stored with one bit more as all integers are signed.
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=1 per=row grid=unsigned}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=1 per=row grid=unsigned},ntensor-quantize-weights{bits=1 per=row grid=unsigned}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=2 per=row grid=unsigned}' | filecheck %s --check-prefix=TWO
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=1 per=row fit=error grid=unsigned}' | filecheck %s --check-prefix=FIT

// One bit is 0 or 1, with the largest weight as scale: 1.5 is half of 3, and ties to even, 0; the error is 1.5.
// Two bits are 0 to 3: steps of 1, and of 0.25, a power of two on which the second row lies. With the least squared error, the scale of row 0 is 3 / 2^(1/2).
// CHECK-LABEL: ntensor.network @positive
// CHECK-SAME: approximations = [#ntensor.approximation<"ntensor-quantize-weights{bits=1 per=row grid=unsigned}", "weights quantized to 1 unsigned bit, one scale per row", ["fc"], 1.500000e+00 : f64
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[0, 0, 0, 1], [1, 0, 0, 1]] : tensor<2x4xi8>>, quantized = #ntensor.quantized<2, #nopt.array<[[3.0], [0.75]] : tensor<2x1xf64>>>}
// TWO-LABEL: ntensor.network @positive
// TWO-SAME: "weights quantized to 2 unsigned bits, one scale per row"
// TWO: [0, 1, 2, 3], [2, 1, 0, 3]
// TWO-SAME: #ntensor.quantized<3, #nopt.array<{{\[\[}}1.0], [0.25]]
// FIT-LABEL: ntensor.network @positive
// FIT: [0, 0, 1, 1]
ntensor.network @positive("input" %x: tensor<4xi1>) -> ("output": tensor<2xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.25, 0.75, 1.5, 3.0], [0.5, 0.25, 0.0, 0.75]] : tensor<2x4xf64>>} : tensor<4xi1> -> tensor<2xf64>
  ntensor.output %y : tensor<2xf64>
}

// -----

// Weights of 0 and one other number lie on the grid: nothing is recorded.
// CHECK-LABEL: ntensor.network @binary
// CHECK-SAME: attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[1, 0, 0, 1]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<2, #nopt.array<0.5 : tensor<f64>>>}
ntensor.network @binary("input" %x: tensor<4xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, 0.0, 0.0, 0.5]] : tensor<1x4xf64>>} : tensor<4xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
