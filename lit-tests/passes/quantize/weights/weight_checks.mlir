// A rule is read like any other array; one of a constant stays a rule, of integers.
// RUN: nopt %s -p 'ntensor-quantize-weights{per=row}' | filecheck %s
// CHECK: ntensor.linear "random"
// CHECK-SAME: weight = #nopt.array<h
// CHECK: ntensor.linear "constant"
// CHECK-SAME: weight = #nopt.array<constant(value = 64) : tensor<9x9xi8>>
// CHECK-SAME: quantized
ntensor.network @net("input" %x: tensor<9xi1>) -> ("output": tensor<9xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "random" %x {weight = #nopt.array<normal(mean = 0.0, std = 1.0, seed = 1) : tensor<9x9xf32>>} : tensor<9xi1> -> tensor<9xf32>
  %b = ntensor.linear "constant" %x {weight = #nopt.array<constant(value = 0.5) : tensor<9x9xf32>>} : tensor<9xi1> -> tensor<9xf32>
  %y = ntensor.sum %a, %b : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  ntensor.output %y : tensor<9xf32>
}
