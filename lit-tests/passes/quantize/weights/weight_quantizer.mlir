// RUN: nopt %s -p 'ntensor-quantize-weights{bits=3}' | filecheck %s --check-prefix=FLOAT
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=3 scale=power-of-two}' | filecheck %s --check-prefix=POWER
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=1}' | filecheck %s --check-prefix=SIGN

// Three bits are -3 to 3. "ties": the scale is 3 / 3 = 1, ties round to even: 0.5 to 0, -1.5 to -2, 2.5 to 2. "grid" is on a grid of
// 0.25 with at most 3 steps and is unchanged. "power": 1 / 3, or the power of two above it, 0.5; 0.875 is 2.625 or 1.75 steps, so 1 both times.
// The sign alone: the scale is the mean size, (0.5 + 1.5 + 2.5 + 3) / 4 = 1.875, and a zero counts as positive.
// RUN: mutate 's/\[\[0.5, -1.5, 2.5, 3.0\]\] : tensor<1x4xf32>>/[[0, 0, 0, 0]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.3 : tensor<f64>>>/' 's/\[\[0.25, -0.5, 0.5, 0.0\]\] : tensor<1x4xf32>>/[[2, 0, -32, 4]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.0078125 : tensor<f64>>>/' %s | nopt - -p 'ntensor-quantize-weights{bits=8}' | filecheck %s --check-prefix=STORED

// Quantized weights keep their scale if the bits hold them, zeros too; 32 / 128 would also be on the finer grid of 2^-8.
// STORED: ntensor.linear "ties"
// STORED-SAME{LITERAL}: [[0, 0, 0, 0]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.3
// STORED: ntensor.linear "grid"
// STORED-SAME{LITERAL}: [[2, 0, -32, 4]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.0078125 : tensor<f64>>>
// FLOAT: ntensor.linear "ties"
// FLOAT-SAME{LITERAL}: [[0, -2, 2, 3]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<3, #nopt.array<1.0 : tensor<f64>>>
// FLOAT: ntensor.linear "grid"
// FLOAT-SAME{LITERAL}: [[1, -2, 2, 0]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<3, #nopt.array<0.25 : tensor<f64>>>
// FLOAT: ntensor.linear "power"
// FLOAT-SAME{LITERAL}: [[3, 3, 0, 0]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<3, #nopt.array<0.3333333432674408 : tensor<f64>>>
// POWER: ntensor.linear "ties"
// POWER-SAME{LITERAL}: [[0, -2, 2, 3]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<3, #nopt.array<1.0 : tensor<f64>>>
// POWER: ntensor.linear "grid"
// POWER-SAME{LITERAL}: [[1, -2, 2, 0]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<3, #nopt.array<0.25 : tensor<f64>>>
// POWER: ntensor.linear "power"
// POWER-SAME{LITERAL}: [[2, 2, 0, 0]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<3, #nopt.array<0.5 : tensor<f64>>>
// SIGN: ntensor.linear "ties"
// SIGN-SAME{LITERAL}: [[1, -1, 1, 1]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<1, #nopt.array<1.875 : tensor<f64>>>
// SIGN: ntensor.linear "grid"
// SIGN-SAME{LITERAL}: [[1, -1, 1, 1]] : tensor<1x4xi8>>, quantized = #ntensor.quantized<1, #nopt.array<0.3125 : tensor<f64>>>
// SIGN: ntensor.linear "power"
ntensor.network @net("input" %x: tensor<4xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "ties" %x {weight = #nopt.array<[[0.5, -1.5, 2.5, 3.0]] : tensor<1x4xf32>>} : tensor<4xi1> -> tensor<1xf32>
  %b = ntensor.linear "grid" %x {weight = #nopt.array<[[0.25, -0.5, 0.5, 0.0]] : tensor<1x4xf32>>} : tensor<4xi1> -> tensor<1xf32>
  %c = ntensor.linear "power" %x {weight = #nopt.array<[[1.0, 0.875, 0.0, 0.1]] : tensor<1x4xf32>>} : tensor<4xi1> -> tensor<1xf32>
  %y = ntensor.sum %a, %b, %c : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
