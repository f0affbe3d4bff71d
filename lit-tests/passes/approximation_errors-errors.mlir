// RUN: nopt %s -p 'ntensor-quantize-bias{scale=own bits=3}' | filecheck %s

// Biases that are on the grid already do not change, and nothing is recorded.
// CHECK: ntensor.network @net
// CHECK-NOT: approximation
// CHECK: bias = #nopt.array<[0.5, 1.0] : tensor<2xf32>>
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[1.0, 0.3], [1.0, 0.3]] : tensor<2x2xf32>>, bias = #nopt.array<[0.5, 1.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  ntensor.output %a : tensor<2xf32>
}
