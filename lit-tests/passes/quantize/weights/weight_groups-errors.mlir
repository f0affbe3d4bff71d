// Ops without common neurons share no scale, for every `per`: the rows of each are separate. An op without weights has no group.
// RUN: nopt %s -p 'ntensor-quantize-weights{per=population}' | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-weights{per=row}' | filecheck %s --check-prefix=EMPTY
// CHECK: ntensor.linear "of a"
// CHECK-SAME: quantized = #ntensor.quantized<8, #nopt.array<1.0 : tensor<f64>>>
// CHECK: ntensor.linear "b"
// CHECK-SAME: quantized = #ntensor.quantized<8, #nopt.array<2.0 : tensor<f64>>>
// EMPTY: ntensor.sparse_linear "of none"
// EMPTY-NOT: quantized
// EMPTY: ntensor.output
ntensor.network @apart("input" %x: tensor<2xi1>) -> ("a": tensor<1xf32>, "c": tensor<1xf32>, "none": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "of a" %x {weight = #nopt.array<[[127.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %b = ntensor.linear "b" %x {weight = #nopt.array<[[254.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %n = ntensor.sparse_linear "of none" %x {weight = #nopt.array<"0x" : tensor<0xf32>>, source = #nopt.array<"0x" : tensor<0xi64>>, target = #nopt.array<"0x" : tensor<0xi64>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %a, %b, %n : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}
