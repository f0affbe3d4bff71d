// Every grid is accepted: the largest number, the smallest, and zeros have a scale that is positive and finite. 3.4028235e38 is
// 127 steps, of a scale that is one f32 smaller than the nearest, so that the product is finite; on a grid of powers of two it is 64 steps
// of 2^122, which no f32 holds, so 63. The smallest f32, 1.4e-45, is 64 steps of 2^-155 and stays.
// RUN: nopt %s -p 'ntensor-quantize-weights{per=row}' | filecheck %s --check-prefix=FLOAT
// RUN: nopt %s -p 'ntensor-quantize-weights{per=row scale=power-of-two}' | filecheck %s --check-prefix=POWER
// FLOAT: ntensor.linear "fc"
// FLOAT-SAME{LITERAL}: [[127], [64], [0]] : tensor<3x1xi8>>, quantized = #ntensor.quantized<8, #nopt.array<[[2.6793883890187504e+36], [2.1895288505075267e-47], [1.0]]
// POWER: ntensor.linear "fc"
// POWER-SAME{LITERAL}: [[63], [64], [0]] : tensor<3x1xi8>>, quantized = #ntensor.quantized<8, #nopt.array<[[5.316911983139664e+36], [2.1895288505075267e-47], [1.0]]
ntensor.network @net("input" %x: tensor<1xi1>) -> ("output": tensor<3xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[3.4028235e38], [1.0e-45], [0.0]] : tensor<3x1xf32>>} : tensor<1xi1> -> tensor<3xf32>
  ntensor.output %y : tensor<3xf32>
}
