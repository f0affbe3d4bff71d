// RUN: nopt %s -p 'ntensor-quantize-bias{bits=3}' | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-bias{bits=3 scale=own}' | filecheck %s --check-prefix=OWN

// Halves are rounded to the even integer, 3 bits end at -4 and 3. NaN and infinity are unchanged: a bias of infinity means "always".
// CHECK: ntensor.linear "fc"
// CHECK-SAME: bias = #nopt.array<"0x000000000000004000000080000000c000004040000040400000807f0000c07f" : tensor<8xf32>>

// The largest finite number is 4, in steps of 2: -8 .. 6.
// OWN: ntensor.linear "fc"
// OWN-SAME: bias = #nopt.array<"0x000000000000004000000080000000c000008040000080400000807f0000c07f"
ntensor.network @net("x" %x: tensor<1xf32>) -> ("y": tensor<8xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1], [1], [1], [1], [1], [1], [1], [1]] : tensor<8x1xi8>>, bias = #nopt.array<"0x0000003f0000c03f000000bf000020c000008040000060400000807f0000c07f" : tensor<8xf32>>, quantized = #ntensor.quantized<2, #nopt.array<1.0 : tensor<f64>>>} : tensor<1xf32> -> tensor<8xf32>
  ntensor.output %y : tensor<8xf32>
}
