// RUN: nopt %s -p 'ntensor-quantize-weights{bits=4}' | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=4},ntensor-quantize-weights{bits=4}' | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=4 balance=sums}' | filecheck %s --check-prefixes=SUMS
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=4 balance=none}' | filecheck %s --check-prefixes=NONE
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=4},ntensor-quantize-bias' | filecheck %s --check-prefixes=BIAS

// The scale is 0.5: 1.2 is 2.4 steps and 0.7 is 1.4. Both are rounded down, and their operands have the mean 1: the mean error of the sum is -0.4. 3 steps
// for 1.2 make it 0.1; 2 steps for 0.7 in addition would make it 0.6. The first operand is silent, so its weight has no mean error.
// CHECK:      ntensor.linear "sum"
// CHECK-SAME{LITERAL}: [[7, 3, 1]] : tensor<1x3xi8>
// The bias 0.3 is rounded to 0.5 later. With it the mean error is -0.2, and 3 steps for 1.2 would make it 0.3.
// CHECK:      ntensor.linear "biased"
// CHECK-SAME{LITERAL}: [[7, 2, 1]] : tensor<1x3xi8>
// Without a calibration each weight is its nearest integer.
// CHECK:      ntensor.linear "plain"
// CHECK-SAME{LITERAL}: [[7, 2, 1]] : tensor<1x3xi8>
// A kernel has the means of all positions: of 2, 4 and of 4, 6. Its errors are 0, -0.2, so its mean error is -0.2 * 5 = -1; 3 steps would make it 1.5.
// CHECK:      ntensor.conv1d "conv"
// CHECK-SAME{LITERAL}: [[[7, 2]]] : tensor<1x1x2xi8>

// SUMS:       ntensor.linear "sum"
// SUMS-SAME{LITERAL}: [[7, 3, 1]] : tensor<1x3xi8>
// SUMS:       ntensor.linear "biased"
// SUMS-SAME{LITERAL}: [[7, 3, 1]] : tensor<1x3xi8>

// NONE:       ntensor.linear "sum"
// NONE-SAME{LITERAL}: [[7, 2, 1]] : tensor<1x3xi8>
ntensor.network @net("x" %x: tensor<3xf32>, "c" %c: tensor<1x3xf32>) -> ("a": tensor<1xf32>, "b": tensor<1xf32>, "p": tensor<1xf32>, "k": tensor<1x2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "sum" %x {weight = #nopt.array<[[3.5, 1.2, 0.7]] : tensor<1x3xf32>>, ntensor.observed = {means = {x = #nopt.array<[0.0, 1.0, 1.0] : tensor<3xf64>>}}} : tensor<3xf32> -> tensor<1xf32>
  %b = ntensor.linear "biased" %x {weight = #nopt.array<[[3.5, 1.2, 0.7]] : tensor<1x3xf32>>, bias = #nopt.array<[0.3] : tensor<1xf32>>, ntensor.observed = {means = {x = #nopt.array<[0.0, 1.0, 1.0] : tensor<3xf64>>}}} : tensor<3xf32> -> tensor<1xf32>
  %p = ntensor.linear "plain" %x {weight = #nopt.array<[[3.5, 1.2, 0.7]] : tensor<1x3xf32>>} : tensor<3xf32> -> tensor<1xf32>
  %k = ntensor.conv1d "conv" %c {weight = #nopt.array<[[[3.5, 1.2]]] : tensor<1x1x2xf32>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1, ntensor.observed = {means = {x = #nopt.array<[[2.0, 4.0, 6.0]] : tensor<1x3xf64>>}}} : tensor<1x3xf32> -> tensor<1x2xf32>
  ntensor.output %a, %b, %p, %k : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1x2xf32>
}

// Two operands lose their weights, which are less than half a step: rounding takes 98 % of the variance of the sum. Such a sum keeps its nearest
// integers, and its means are forgotten, so that the bias absorbs no mean error. The record names it.
// CHECK:      ntensor.network @coarse
// CHECK-SAME{LITERAL}: one scale per tensor; sums of \22lossy\22 lose more than 30% of their variance, so their mean errors stay
// CHECK:      ntensor.linear "lossy" %x {ntensor.observed = {},
// CHECK-SAME{LITERAL}: [[7, 0, 0]] : tensor<1x3xi8>
// BIAS:       ntensor.linear "lossy"
// BIAS-SAME{LITERAL}: bias = #nopt.array<[0.0] : tensor<1xf32>>
// SUMS:       ntensor.linear "lossy"
// SUMS-SAME{LITERAL}: [[7, 0, 0]] : tensor<1x3xi8>
ntensor.network @coarse("x" %x: tensor<3xf32>) -> ("a": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "lossy" %x {weight = #nopt.array<[[3.5, 0.2, 0.2]] : tensor<1x3xf32>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, ntensor.observed = {means = {x = #nopt.array<[0.001, 6.0, 6.0] : tensor<3xf64>>, y = #nopt.array<[2.4] : tensor<1xf64>>}}} : tensor<3xf32> -> tensor<1xf32>
  ntensor.output %a : tensor<1xf32>
}
