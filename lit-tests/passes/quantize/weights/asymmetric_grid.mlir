// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4 grid=asymmetric}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4 grid=asymmetric},ntensor-quantize-weights{bits=4 grid=asymmetric}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4 per=row scale=power-of-two grid=asymmetric}' | filecheck %s --check-prefix=POWER
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4 per=row grid=asymmetric}' | filecheck %s --check-prefix=ROW

// Four bits are -8 to 7, 15 steps. All weights are positive, so -8 is 0 and the scale is 3 / 15 = 0.2: 0.7 is 3.5 steps, ties to even, 4.
// The errors are 0, 0.1, 0.1 (1.5 is 7.5 steps, 8 of them) and 0.
// CHECK-LABEL: ntensor.network @positive
// CHECK-SAME: approximations = [#ntensor.approximation<"ntensor-quantize-weights{bits=4 grid=asymmetric}", "weights quantized to 4 bits, one scale and zero point per tensor", ["fc"], 0.1{{0*[0-9]}} : f64
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[-7, -5, 0, 7]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.2 : tensor<f64>>, #nopt.array<-8 : tensor<i8>>>}
// POWER-LABEL: ntensor.network @positive
// POWER-SAME: "weights quantized to 4 bits, one power of two and zero point per row"
// POWER: [-7, -5, -2, 4]
// POWER-SAME: #ntensor.quantized<4, #nopt.array<0.25 : tensor<f64>>, #nopt.array<-8 : tensor<i8>>>
ntensor.network @positive("input" %x: tensor<4xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.2, 0.7, 1.5, 3.0]] : tensor<1x4xf64>>} : tensor<4xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// 0 lies in the grid, and stays 0: the zero point. From -1 to 1.5 are 2.5 / 15 = 1 / 6 for a step in f32; -1 is 6 steps below 0, so the zero point
// is -2. Of the rows, the first lies on a grid of 1/8 and keeps it, and the second has 1.5 / 15 = 0.1.
// CHECK-LABEL: ntensor.network @both
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[-2, 1, 4, 7], [-8, -1, -2, 1]] : tensor<2x4xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.1666666716337204 : tensor<f64>>, #nopt.array<-2 : tensor<i8>>>}
// ROW-LABEL: ntensor.network @both
// ROW-SAME: attributes {tick_ns = 1000 : i64} {
// ROW-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// ROW-SAME{LITERAL}: [[-8, -4, 0, 4], [-8, 3, 2, 7]] : tensor<2x4xi8>>, quantized = #ntensor.quantized<4, #nopt.array<[[0.125], [0.10000000149011612]] : tensor<2x1xf64>>, #nopt.array<[[-8], [2]] : tensor<2x1xi8>>>}
ntensor.network @both("input" %x: tensor<4xi1>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.0, 0.5, 1.0, 1.5], [-1.0, 0.1, 0.0, 0.5]] : tensor<2x4xf32>>} : tensor<4xi1> -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// A group of zeros has the scale 1. Weights of 2.25 and -0.25 are 10 steps of 1/4, which fit: they keep their grid, though -8 to 7 steps would not hold 9.
// CHECK-LABEL: ntensor.network @kept
// CHECK-SAME: attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT: ntensor.linear "zeros" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[-8, -8]] : tensor<1x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<1.0 : tensor<f64>>, #nopt.array<-8 : tensor<i8>>>}
// CHECK-NEXT: ntensor.linear "grid" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[2, -8]] : tensor<1x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.25 : tensor<f64>>, #nopt.array<-7 : tensor<i8>>>}
ntensor.network @kept("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>, "other": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "zeros" %x {weight = #nopt.array<[[0.0, 0.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = ntensor.linear "grid" %x {weight = #nopt.array<[[2.25, -0.25]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y, %z : tensor<1xf32>, tensor<1xf32>
}
