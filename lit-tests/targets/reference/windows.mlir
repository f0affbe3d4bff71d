// RUN: python %S/inputs/save.py %t.npy '[[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]]'
// RUN: nopt run %s --input %t.npy -o %t.npz
// RUN: python %S/inputs/show.py %t.npz | filecheck %s

// A convolution is a correlation: its first tap is for the neuron above and left. 1 * 1 + 10 * 2 + 100 * 4 + 1000 * 5 = 5421;
// padding to the right and below adds zeros: 1 * 3 + 100 * 6 = 603.
// CHECK-LABEL: conv: float64
// CHECK-NEXT{LITERAL}: [[[5421.0, 6532.0, 603.0], [8754.0, 9865.0, 906.0], [87.0, 98.0, 9.0]]]

// A stride of (2, 1) skips every other row.
// CHECK-LABEL: stride: float64
// CHECK-NEXT{LITERAL}: [[[5421.0, 6532.0, 603.0], [87.0, 98.0, 9.0]]]

// A dilation of 2 spreads the taps: 1 * 1 + 10 * 3 + 100 * 7 + 1000 * 9 = 9731.
// CHECK-LABEL: dilated: float64
// CHECK-NEXT{LITERAL}: [[[9731.0]]]

// A pool is the sum, (1 + 2 + 4 + 5), or the sum divided by all four, padding included: (9 + 0 + 0 + 0) / 4.
// CHECK-LABEL: sum: float64
// CHECK-NEXT{LITERAL}: [[[12.0, 9.0], [15.0, 9.0]]]
// CHECK-LABEL: mean: float64
// CHECK-NEXT{LITERAL}: [[[3.0, 2.25], [3.75, 2.25]]]

ntensor.network @windows("x" %x: tensor<1x3x3xf64>) -> ("conv": tensor<1x3x3xf64>, "stride": tensor<1x2x3xf64>, "dilated": tensor<1x1x1xf64>, "sum": tensor<1x2x2xf64>, "mean": tensor<1x2x2xf64>) attributes {tick_ns = 1000000} {
  %a = ntensor.conv2d "a" %x {weight = #nopt.array<[[[[1.0, 10.0], [100.0, 1000.0]]]] : tensor<1x1x2x2xf64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 1], [0, 1]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x3x3xf64> -> tensor<1x3x3xf64>
  %b = ntensor.conv2d "b" %x {weight = #nopt.array<[[[[1.0, 10.0], [100.0, 1000.0]]]] : tensor<1x1x2x2xf64>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 1], [0, 1]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x3x3xf64> -> tensor<1x2x3xf64>
  %c = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 10.0], [100.0, 1000.0]]]] : tensor<1x1x2x2xf64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[2, 2] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x3x3xf64> -> tensor<1x1x1xf64>
  %d = ntensor.sum_pool2d "d" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 1], [0, 1]] : tensor<2x2xi64>>} : tensor<1x3x3xf64> -> tensor<1x2x2xf64>
  %e = ntensor.avg_pool2d "e" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 1], [0, 1]] : tensor<2x2xi64>>} : tensor<1x3x3xf64> -> tensor<1x2x2xf64>
  ntensor.output %a, %b, %c, %d, %e : tensor<1x3x3xf64>, tensor<1x2x3xf64>, tensor<1x1x1xf64>, tensor<1x2x2xf64>, tensor<1x2x2xf64>
}
