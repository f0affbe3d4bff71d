// RUN: nopt %s -p 'ntensor-quantize-bias{bits=6}' | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-bias{bits=6},ntensor-quantize-bias{bits=6}' | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-bias{bits=4 scale=own}' | filecheck %s --check-prefix=OWN
// RUN: nopt %s -p 'ntensor-quantize-bias{nodes=even}' | filecheck %s --check-prefix=STAYS
// RUN: nopt %S/../inputs/means.mlir -p 'ntensor-quantize-bias' | filecheck %s --check-prefix=MEANS
// RUN: nopt %S/../inputs/means.mlir -p 'ntensor-quantize-bias{correct=false}' | filecheck %s --check-prefix=PLAIN

// One scale for each row: 0.3 is 1.2 steps of 0.25, and -1.3 is -2.6 of 0.5. A convolution has the scales of its channels, synapses
// those of their targets. Errors 0.05, 0.2, 0.1, 0.1, 0.1, all of them f32. Values on the grid are unchanged, and so are integers and an op
// without a bias. A second pass changes nothing.
// CHECK: ntensor.network @net
// CHECK-SAME: approximations = [#ntensor.approximation<"ntensor-quantize-bias{bits=6}", "biases of 6 bits on the grid of their weights", ["rows", "channels", "targets"], 0.2{{[0-9]+}} : f64, {{0.1100000[0-9]+|0.1099999[0-9]+}} : f64, "1">]}
// CHECK: ntensor.linear "rows"
// CHECK-SAME: bias = #nopt.array<[0.25, -1.5] : tensor<2xf32>>
// CHECK: ntensor.conv1d "channels"
// CHECK-SAME: bias = #nopt.array<[0.5] : tensor<1xf32>>
// CHECK: ntensor.sparse_linear "targets"
// CHECK-SAME: bias = #nopt.array<[0.5, 1.0] : tensor<2xf32>>
// CHECK: ntensor.linear "even"
// CHECK-SAME: bias = #nopt.array<[0.5, 1.0] : tensor<2xf32>>
// CHECK: ntensor.linear "integers"
// CHECK-SAME: bias = #nopt.array<[3, 5] : tensor<2xi8>>

// A grid of its own: 4 bits hold -8 .. 7, so that -1.3 takes steps of 0.25 and 0.4 steps of 0.0625.
// OWN: ntensor.linear "rows"
// OWN-SAME: bias = #nopt.array<[0.25, -1.25] : tensor<2xf32>>
// OWN: ntensor.conv1d "channels"
// OWN-SAME: bias = #nopt.array<[0.375] : tensor<1xf32>>

// STAYS-NOT: approximation

// A calibration observed a mean operand of 0.5, 1 and a mean result of 2: 2 - (0.25 * 2 * 0.5 + 0.25 * 1 * 1) = 1.5, 6 steps of 0.25. A convolution
// with two positions of the means 1.25 and 1.75 has 1.5 - 0.5 (0.5 + 1) / 2 = 1.125, which is 2 steps of 0.5. Means of another shape are not used.
// MEANS: "biases of 16 bits on the grid of their weights, which absorb the mean errors of the weights", ["fc", "conv"], 1.250000e+00 : f64, 8.750000e-01 : f64
// MEANS: ntensor.linear "fc"
// MEANS-SAME: bias = #nopt.array<[1.5] : tensor<1xf32>>
// MEANS: ntensor.conv1d "conv"
// MEANS-SAME: bias = #nopt.array<[1.0] : tensor<1xf32>>
// MEANS: ntensor.linear "stale"
// MEANS-SAME: bias = #nopt.array<[0.25] : tensor<1xf32>>
// PLAIN-NOT: approximation
ntensor.network @net("x" %x: tensor<2xf32>, "c" %c: tensor<1x2xf32>, "n" %n: tensor<2xi8>) -> ("a": tensor<2xf32>, "b": tensor<1x2xf32>, "s": tensor<2xf32>, "d": tensor<2xf32>, "e": tensor<2xi16>, "f": tensor<2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "rows" %x {weight = #nopt.array<[[2, 1], [1, 2]] : tensor<2x2xi8>>, bias = #nopt.array<[0.3, -1.3] : tensor<2xf32>>, quantized = #ntensor.quantized<4, #nopt.array<[[0.25], [0.5]] : tensor<2x1xf64>>>} : tensor<2xf32> -> tensor<2xf32>
  %b = ntensor.conv1d "channels" %c {weight = #nopt.array<[[[1]]] : tensor<1x1x1xi8>>, bias = #nopt.array<[0.4] : tensor<1xf32>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1, quantized = #ntensor.quantized<4, #nopt.array<[[[0.5]]] : tensor<1x1x1xf64>>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %s = ntensor.sparse_linear "targets" %x {weight = #nopt.array<[1, 1, 2] : tensor<3xi8>>, source = #nopt.array<[0, 0, 1] : tensor<3xi64>>, target = #nopt.array<[0, 1, 0] : tensor<3xi64>>, bias = #nopt.array<[0.4, 0.9] : tensor<2xf32>>, quantized = #ntensor.quantized<4, #nopt.array<[0.25, 1.0, 0.25] : tensor<3xf64>>>} : tensor<2xf32> -> tensor<2xf32>
  %d = ntensor.linear "even" %x {weight = #nopt.array<[[2, 1], [2, 4]] : tensor<2x2xi8>>, bias = #nopt.array<[0.5, 1.0] : tensor<2xf32>>, quantized = #ntensor.quantized<4, #nopt.array<0.25 : tensor<f64>>>} : tensor<2xf32> -> tensor<2xf32>
  %e = ntensor.linear "integers" %n {weight = #nopt.array<[[1, 2], [3, 4]] : tensor<2x2xi8>>, bias = #nopt.array<[3, 5] : tensor<2xi8>>} : tensor<2xi8> -> tensor<2xi16>
  %f = ntensor.linear "unbiased" %x {weight = #nopt.array<[[0.3, 0.1], [0.5, 1.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %a, %b, %s, %d, %e, %f : tensor<2xf32>, tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi16>, tensor<2xf32>
}
