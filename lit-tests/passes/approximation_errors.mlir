// RUN: nopt %s -p 'ntensor-quantize-bias{scale=own bits=2}' | filecheck %s

// One record names each node that changed, with the largest and the mean error of all numbers in these nodes.
// Steps of 1, ties to even: 0.5 becomes 0, 0.25 becomes 0, 1 and -1 stay. (0.5 + 0 + 0.25 + 0) / 4 = 0.1875
// CHECK: #ntensor.approximation<"ntensor-quantize-bias{bits=2 scale=own}"
// CHECK-SAME: ["a", "b"], 5.000000e-01 : f64, 1.875000e-01 : f64, "1">]
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[1.0, 0.3], [1.0, 0.3]] : tensor<2x2xf32>>, bias = #nopt.array<[0.5, 1.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %b = ntensor.linear "b" %x {weight = #nopt.array<[[1.0, 0.3], [1.0, 0.3]] : tensor<2x2xf32>>, bias = #nopt.array<[0.25, -1.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %y = ntensor.sum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}
