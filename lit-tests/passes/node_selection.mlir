// RUN: nopt %s -p 'ntensor-quantize-weights{nodes=b}' | filecheck %s

// Only the named nodes change.
// CHECK: ntensor.linear "a"
// CHECK-NOT: quantized
// CHECK: ntensor.linear "b"
// CHECK-SAME: quantized
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %b = ntensor.linear "b" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %y = ntensor.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
