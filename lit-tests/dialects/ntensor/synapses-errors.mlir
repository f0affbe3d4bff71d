// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A weight must have at least two axes.
// CHECK:      error[NTE002]: weight has the wrong number of axes
// CHECK-NEXT:   at: ntensor.linear "fc 1"
// CHECK-NEXT:   expected: 2: [outputs, inputs]
// CHECK-NEXT:   found: 1: (2,)
// CHECK-NEXT:   help: reshape weight to the axes [outputs, inputs]
ntensor.network @flat("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc 1" %x {weight = #nopt.array<[1.0, 2.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// The operand must have as many elements as the weight has columns.
// CHECK:      error[NTE002]: the operand has the wrong shape
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: (2,)
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: change the shape of the operand to (2,)
ntensor.network @columns("x" %x: tensor<3xf32>) -> ("out": tensor<3xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] : tensor<3x2xf32>>} : tensor<3xf32> -> tensor<3xf32>
  ntensor.output %y : tensor<3xf32>
}

// -----

// The result must have as many elements as the weight has rows.
// CHECK:      error[NTE002]: the result has the wrong shape
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: (3,)
// CHECK-NEXT:   found: (2,)
// CHECK-NEXT:   help: change the shape of the result to (3,)
ntensor.network @rows("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] : tensor<3x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// The bias must have as many elements as the weight has rows.
// CHECK:      error[NTE002]: bias has the wrong shape
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: (3,)
// CHECK-NEXT:   found: (1,)
// CHECK-NEXT:   help: change the shape of bias to (3,)
ntensor.network @bias("x" %x: tensor<2xf32>) -> ("out": tensor<3xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] : tensor<3x2xf32>>, bias = #nopt.array<[1.0] : tensor<1xf32>>} : tensor<2xf32> -> tensor<3xf32>
  ntensor.output %y : tensor<3xf32>
}

// -----

// The type of the result must represent the bias exactly.
// CHECK:      error[NTE003]: bias would change when it is converted to f32
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: numbers that f32 holds
// CHECK-NEXT:   found: numbers of f64
// CHECK-NEXT:   help: convert bias to numbers of f32 first
ntensor.network @type("x" %x: tensor<2xf32>) -> ("out": tensor<3xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] : tensor<3x2xf32>>, bias = #nopt.array<[1.0, 2.0, 0.3] : tensor<3xf64>>} : tensor<2xf32> -> tensor<3xf32>
  ntensor.output %y : tensor<3xf32>
}

// -----

// A convolution over one axis must have a kernel of one axis.
// CHECK:      error[NTE002]: weight has the wrong number of axes
// CHECK-NEXT:   at: ntensor.conv1d "c"
// CHECK-NEXT:   expected: 3: [outputs, inputs / groups, x]
// CHECK-NEXT:   found: 4: (2, 1, 2, 2)
// CHECK-NEXT:   help: reshape weight to the axes [outputs, inputs / groups, x]
ntensor.network @axes("x" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv1d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// Strides must have one entry for each axis.
// CHECK:      error[NTE002]: stride has the wrong shape
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: (2,)
// CHECK-NEXT:   found: (1,)
// CHECK-NEXT:   help: change the shape of stride to (2,)
ntensor.network @stride("x" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// A stride must be positive.
// CHECK:      error[NTE006]: stride is out of range
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: [1, 0]
// CHECK-NEXT:   help: set stride to integers from 1
ntensor.network @still("x" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1, 0] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// A stride must be an integer.
// CHECK:      error[NTE006]: stride is out of range
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: [1.5, 1.0]
// CHECK-NEXT:   help: set stride to integers from 1
ntensor.network @half("x" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1.5, 1.0] : tensor<2xf32>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// Padding must not be negative.
// CHECK:      error[NTE006]: padding is out of range
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: integers from 0
// CHECK-NEXT{LITERAL}:   found: [[0, 0], [0, -1]]
// CHECK-NEXT:   help: set padding to integers from 0
ntensor.network @padding("x" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, -1]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// Padding must have one number for each end.
// CHECK:      error[NTE002]: padding has the wrong shape
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: (2, 2)
// CHECK-NEXT:   found: (2,)
// CHECK-NEXT:   help: change the shape of padding to (2, 2)
ntensor.network @ends("x" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// A dilation must be positive.
// CHECK:      error[NTE006]: dilation is out of range
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: [0, 1]
// CHECK-NEXT:   help: set dilation to integers from 1
ntensor.network @dilation("x" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[0, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// Three groups do not divide two channels.
// CHECK:      error[NTE006]: groups must divide the output channels
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: a divisor of 2
// CHECK-NEXT:   found: 3
// CHECK-NEXT:   help: groups = 1 : i64 connects every channel to every other
ntensor.network @groups("x" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 3 : i64} : tensor<2x5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// The operand must have channels.
// CHECK:      error[NTE002]: the operand has the wrong number of axes
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: 3: [channels, y, x]
// CHECK-NEXT:   found: 2: (5, 6)
// CHECK-NEXT:   help: reshape the operand to the axes [channels, y, x]
ntensor.network @channels("x" %x: tensor<5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// Two groups of one channel each need two channels, not three.
// CHECK:      error[NTE002]: the operand has the wrong shape
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: (2, 5, 6)
// CHECK-NEXT:   found: (3, 5, 6)
// CHECK-NEXT:   help: change the shape of the operand to (2, 5, 6)
ntensor.network @three("x" %x: tensor<3x5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<3x5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// The kernel, 5 wide with a dilation of 4, does not fit 3 columns.
// CHECK:      error[NTE002]: the kernel is larger than the padded operand
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: at least 1 position on each axis
// CHECK-NEXT:   found: (4, -1)
// CHECK-NEXT:   help: make the kernel or its dilation smaller, or the padding larger
ntensor.network @large("x" %x: tensor<2x5x3xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 4] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x3xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// The result must have the number of positions: (5 - 2) / 1 + 1 = 4 and (6 - 2) / 1 + 1 = 5.
// CHECK:      error[NTE002]: the result has the wrong shape
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: (2, 4, 5)
// CHECK-NEXT:   found: (2, 4, 4)
// CHECK-NEXT:   help: change the shape of the result to (2, 4, 5)
ntensor.network @positions("x" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x4x4xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x4x4xf32>
  ntensor.output %y : tensor<2x4x4xf32>
}

// -----

// A bias must have one entry for each output channel.
// CHECK:      error[NTE002]: bias has the wrong shape
// CHECK-NEXT:   at: ntensor.conv2d "c"
// CHECK-NEXT:   expected: (2,)
// CHECK-NEXT:   found: (1,)
// CHECK-NEXT:   help: change the shape of bias to (2,)
ntensor.network @shift("x" %x: tensor<2x5x6xi1>) -> ("out": tensor<2x4x5xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "c" %x {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, bias = #nopt.array<[1.0] : tensor<1xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x4x5xf32>
  ntensor.output %y : tensor<2x4x5xf32>
}

// -----

// A window must not be empty.
// CHECK:      error[NTE006]: kernel is out of range
// CHECK-NEXT:   at: ntensor.sum_pool2d "p"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: [2, 0]
// CHECK-NEXT:   help: set kernel to integers from 1
ntensor.network @window("x" %x: tensor<1x4x4xi1>) -> ("out": tensor<1x2x2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum_pool2d "p" %x {kernel = #nopt.array<[2, 0] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x2x2xf32>
  ntensor.output %y : tensor<1x2x2xf32>
}

// -----

// A window must have two axes.
// CHECK:      error[NTE002]: kernel has the wrong shape
// CHECK-NEXT:   at: ntensor.sum_pool2d "p"
// CHECK-NEXT:   expected: (2,)
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: change the shape of kernel to (2,)
ntensor.network @cube("x" %x: tensor<1x4x4xi1>) -> ("out": tensor<1x2x2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum_pool2d "p" %x {kernel = #nopt.array<[2, 2, 2] : tensor<3xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x2x2xf32>
  ntensor.output %y : tensor<1x2x2xf32>
}

// -----

// The stride of a pool must be positive.
// CHECK:      error[NTE006]: stride is out of range
// CHECK-NEXT:   at: ntensor.sum_pool2d "p"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: [0, 2]
// CHECK-NEXT:   help: set stride to integers from 1
ntensor.network @standing("x" %x: tensor<1x4x4xi1>) -> ("out": tensor<1x2x2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum_pool2d "p" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[0, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x2x2xf32>
  ntensor.output %y : tensor<1x2x2xf32>
}

// -----

// The padding of a pool must not be negative.
// CHECK:      error[NTE006]: padding is out of range
// CHECK-NEXT:   at: ntensor.sum_pool2d "p"
// CHECK-NEXT:   expected: integers from 0
// CHECK-NEXT{LITERAL}:   found: [[-1, 0], [0, 0]]
// CHECK-NEXT:   help: set padding to integers from 0
ntensor.network @shrink("x" %x: tensor<1x4x4xi1>) -> ("out": tensor<1x2x2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum_pool2d "p" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[-1, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x2x2xf32>
  ntensor.output %y : tensor<1x2x2xf32>
}

// -----

// A pool must have two axes.
// CHECK:      error[NTE002]: the operand has the wrong number of axes
// CHECK-NEXT:   at: ntensor.sum_pool2d "p"
// CHECK-NEXT:   expected: 3: [channels, y, x]
// CHECK-NEXT:   found: 2: (4, 4)
// CHECK-NEXT:   help: reshape the operand to the axes [channels, y, x]
ntensor.network @line("x" %x: tensor<4x4xi1>) -> ("out": tensor<1x2x2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum_pool2d "p" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<4x4xi1> -> tensor<1x2x2xf32>
  ntensor.output %y : tensor<1x2x2xf32>
}

// -----

// A window must not be larger than the padded operand.
// CHECK:      error[NTE002]: the kernel is larger than the padded operand
// CHECK-NEXT:   at: ntensor.sum_pool2d "p"
// CHECK-NEXT:   expected: at least 1 position on each axis
// CHECK-NEXT:   found: (2, 0)
// CHECK-NEXT:   help: make the kernel or its dilation smaller, or the padding larger
ntensor.network @wide("x" %x: tensor<1x4x4xi1>) -> ("out": tensor<1x2x2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum_pool2d "p" %x {kernel = #nopt.array<[2, 5] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x2x2xf32>
  ntensor.output %y : tensor<1x2x2xf32>
}

// -----

// The result must have (4 - 2) / 2 + 1 = 2 positions.
// CHECK:      error[NTE002]: the result has the wrong shape
// CHECK-NEXT:   at: ntensor.sum_pool2d "p"
// CHECK-NEXT:   expected: (1, 2, 2)
// CHECK-NEXT:   found: (1, 2, 3)
// CHECK-NEXT:   help: change the shape of the result to (1, 2, 2)
ntensor.network @count("x" %x: tensor<1x4x4xi1>) -> ("out": tensor<1x2x3xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum_pool2d "p" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x2x3xf32>
  ntensor.output %y : tensor<1x2x3xf32>
}

// -----

// No rounding is defined for the mean of integers.
// CHECK:      error[NTE003]: no rounding is defined for the mean of integers
// CHECK-NEXT:   at: ntensor.avg_pool2d "p"
// CHECK-NEXT:   expected: a result of f32 or f64
// CHECK-NEXT:   found: i32
// CHECK-NEXT:   help: use ntensor.sum_pool2d, and fold the division into the weights after it
ntensor.network @mean("x" %x: tensor<1x4x4xi1>) -> ("out": tensor<1x2x2xi32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.avg_pool2d "p" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x2x2xi32>
  ntensor.output %y : tensor<1x2x2xi32>
}

// -----

// A scale for three elements does not fit two.
// CHECK:      error[NTE002]: scale has the wrong shape
// CHECK-NEXT:   at: ntensor.scale "s"
// CHECK-NEXT:   expected: () or (2,)
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: change the shape of scale to (2,)
ntensor.network @scale("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.scale "s" %x {scale = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// A scale must keep the shape.
// CHECK:      error[NTE002]: the result has the wrong shape
// CHECK-NEXT:   at: ntensor.scale "s"
// CHECK-NEXT:   expected: (2,)
// CHECK-NEXT:   found: (1, 2)
// CHECK-NEXT:   help: change the shape of the result to (2,)
ntensor.network @keeps("x" %x: tensor<2xf32>) -> ("out": tensor<1x2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.scale "s" %x {scale = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<1x2xf32>
  ntensor.output %y : tensor<1x2xf32>
}

// -----

// A source must be a neuron.
// CHECK:      error[NTE006]: a source index is not a neuron
// CHECK-NEXT:   at: ntensor.sparse_linear "fc"
// CHECK-NEXT:   expected: indices below 2
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: list flat indices of the population in source
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1, 2] : tensor<2xi8>>, source = #nopt.array<[0, 2] : tensor<2xi32>>, target = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// Synapses must be sorted by source, then by target, which is the order of their sum.
// CHECK:      error[NTE006]: synapses are not sorted
// CHECK-NEXT:   at: ntensor.sparse_linear "fc"
// CHECK-NEXT:   expected: by source, then by target
// CHECK-NEXT:   found: synapse 0 from 1 to 0, then from 0 to 1
// CHECK-NEXT:   help: sort the synapses by source, then by target
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1, 2] : tensor<2xi8>>, source = #nopt.array<[1, 0] : tensor<2xi32>>, target = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// A delay must not be negative.
// CHECK:      error[NTE006]: delay is out of range
// CHECK-NEXT:   at: ntensor.sparse_linear "fc"
// CHECK-NEXT:   expected: integers from 0
// CHECK-NEXT:   found: [0, -1]
// CHECK-NEXT:   help: set delay to integers from 0
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1, 2] : tensor<2xi8>>, source = #nopt.array<[0, 1] : tensor<2xi32>>, target = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[0, -1] : tensor<2xi8>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// Delays must have one entry for each synapse, or one for all.
// CHECK:      error[NTE002]: delay has the wrong shape
// CHECK-NEXT:   at: ntensor.sparse_linear "fc"
// CHECK-NEXT:   expected: () or (2,)
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: change the shape of delay to (2,)
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1, 2] : tensor<2xi8>>, source = #nopt.array<[0, 1] : tensor<2xi32>>, target = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[0, 1, 2] : tensor<3xi8>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// An exponent must have one entry for each neuron, or one for all.
// CHECK:      error[NTE002]: exponent has the wrong shape
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: () or (2,)
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: change the shape of exponent to (2,)
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2], [3, -4]] : tensor<2x2xi8>>, exponent = #nopt.array<[0, 1, 2] : tensor<3xi8>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// A shift must not exceed the bits of integers.
// CHECK:      error[NTE006]: exponent is out of range
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: integers from -62 to 62
// CHECK-NEXT:   found: -63
// CHECK-NEXT:   help: set exponent to integers from -62 to 62
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2], [3, -4]] : tensor<2x2xi8>>, exponent = #nopt.array<-63 : tensor<i8>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// An exponent must be an integer.
// CHECK:      error[NTE006]: exponent is out of range
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: integers from -62 to 62
// CHECK-NEXT:   found: 0.5
// CHECK-NEXT:   help: set exponent to integers from -62 to 62
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2], [3, -4]] : tensor<2x2xi8>>, exponent = #nopt.array<0.5 : tensor<f32>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// A scale for each row must have the axes of the weights.
// CHECK:      error[NTE002]: the scale has the wrong shape
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: () or (2, 2)
// CHECK-NEXT:   found: (2,)
// CHECK-NEXT:   help: change the shape of the scale to (2, 2)
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2], [3, -4]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<[0.5, 1.0] : tensor<2xf64>>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// Quantized weights must have at least one bit.
// CHECK:      error[NTE006]: the quantization of weight is out of range
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: 1 to 16 bits, and a positive scale
// CHECK-NEXT:   found: 0 bits
// CHECK-NEXT:   help: quantize with ntensor-quantize-weights
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2], [3, -4]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<0, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// A scale must be positive.
// CHECK:      error[NTE006]: the quantization of weight is out of range
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: 1 to 16 bits, and a positive scale
// CHECK-NEXT:   found: a scale of 0.0
// CHECK-NEXT:   help: quantize with ntensor-quantize-weights
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2], [3, -4]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<[[0.5], [0.0]] : tensor<2x1xf64>>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// -4 needs three bits.
// CHECK:      error[NTE006]: weight has more bits than its quantization declares
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: -2 to 1 for 2 bits of i16
// CHECK-NEXT:   found: -4 to 3
// CHECK-NEXT:   help: quantize with ntensor-quantize-weights
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2], [3, -4]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<2, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// A source must not exceed the last neuron of the operand; the bounds of a rule are known.
// CHECK:      error[NTE006]: a source index is not a neuron
// CHECK-NEXT:   at: ntensor.fan_in_linear "fc"
// CHECK-NEXT:   expected: indices below 2
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: list flat indices of the operand in source
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<3xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.fan_in_linear "fc" %x {weight = #nopt.array<constant(value = 1.0) : tensor<3x4xf32>>, source = #nopt.array<integers(low = 0, high = 3, seed = 1) : tensor<3x4xi32>>} : tensor<2xi1> -> tensor<3xf32>
  ntensor.output %y : tensor<3xf32>
}

// -----

// CHECK:      error[NTE003]: the result of ntensor.fan_in_linear is not real
// CHECK-NEXT:   at: ntensor.fan_in_linear "fc"
// CHECK-NEXT:   expected: a result of f32 or f64
// CHECK-NEXT:   found: i16
// CHECK-NEXT:   help: use ntensor.sparse_linear for integers and terms
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<3xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.fan_in_linear "fc" %x {weight = #nopt.array<constant(value = 1) : tensor<3x4xi8>>, source = #nopt.array<constant(value = 1) : tensor<3x4xi32>>} : tensor<2xi1> -> tensor<3xi16>
  ntensor.output %y : tensor<3xi16>
}

// -----

// CHECK:      error[NTE006]: weight holds reals, and its quantization needs integers
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: integers of 4 bits, whose value is integer * scale
// CHECK-NEXT:   found: numbers of f32
// CHECK-NEXT:   help: remove `quantized`, then quantize with ntensor-quantize-weights
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, 1.5]] : tensor<1x2xf32>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}

// -----

// The result is real, and the integers have their bits alike.
// CHECK:      error[NTE006]: scale has more bits than its quantization declares
// CHECK-NEXT:   at: ntensor.scale "gain"
// CHECK-NEXT:   expected: -4 to 3 for 3 bits of f64
// CHECK-NEXT:   found: 4
// CHECK-NEXT:   help: quantize with ntensor-quantize-weights
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.scale "gain" %x {scale = #nopt.array<4 : tensor<i8>>, quantized = #ntensor.quantized<3, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<2xf64>
  ntensor.output %y : tensor<2xf64>
}

// -----

// CHECK:      error[NTE006]: the zero point of weight is out of range
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: integers of 4 bits
// CHECK-NEXT:   found: 8 to 8
// CHECK-NEXT:   help: quantize with ntensor-quantize-weights{grid=asymmetric}
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 7]] : tensor<1x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>, #nopt.array<8 : tensor<i8>>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}

// -----

// CHECK:      error[NTE006]: the zero point of weight is out of range
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: 2 to 15 bits
// CHECK-NEXT:   found: 16 bits
// CHECK-NEXT:   help: quantize with ntensor-quantize-weights{grid=asymmetric}
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 7]] : tensor<1x2xi8>>, quantized = #ntensor.quantized<16, #nopt.array<0.5 : tensor<f64>>, #nopt.array<8 : tensor<i8>>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}

// -----

// CHECK:      error[NTE002]: the zero point has the wrong shape
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: () or (1, 2)
// CHECK-NEXT:   found: (3,)
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 7]] : tensor<1x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>, #nopt.array<[1, 2, 3] : tensor<3xi8>>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}

// -----

// Integers are added as they are stored.
// CHECK:      error[NTE006]: integers with a zero point are added as i16
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: a real result: integers are added without one
// CHECK-NEXT:   found: i16
// CHECK-NEXT:   help: remove the zero point, and subtract it
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<1xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 7]] : tensor<1x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>, #nopt.array<-3 : tensor<i8>>>} : tensor<2xi1> -> tensor<1xi16>
  ntensor.output %y : tensor<1xi16>
}

// -----

// A window of a max pool has an element of the map.
// CHECK:      error[NTE006]: a window of a max pool has no element
// CHECK-NEXT:   at: ntensor.max_pool2d "p"
// CHECK-NEXT:   expected: padding below 2
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: set padding to at most 1
ntensor.network @outside("x" %x: tensor<1x2x2xi16>) -> ("o": tensor<1x2x1xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.max_pool2d "p" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 2], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi16> -> tensor<1x2x1xi16>
  ntensor.output %a : tensor<1x2x1xi16>
}

// -----

// A max pool keeps the element type.
// CHECK:      error[NTE003]: a max pool changes the element type
// CHECK-NEXT:   at: ntensor.max_pool2d "p"
// CHECK-NEXT:   expected: i16
// CHECK-NEXT:   found: i32
// CHECK-NEXT:   help: declare the result as a tensor of i16
ntensor.network @wider("x" %x: tensor<1x2x2xi16>) -> ("o": tensor<1x1x1xi32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.max_pool2d "p" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi16> -> tensor<1x1x1xi32>
  ntensor.output %a : tensor<1x1x1xi32>
}

// -----

// Positions after those that a kernel reaches are fewer than the stride.
// CHECK:      error[NTE006]: padding is out of range
// CHECK-NEXT:   at: ntensor.conv_transpose2d "t"
// CHECK-NEXT:   expected: integers from -1
// CHECK-NEXT:   found: {{\[\[}}0, -2], [0, 0]]
// CHECK-NEXT:   help: set padding to integers from -1
ntensor.network @far("x" %x: tensor<1x2x2xi1>) -> ("o": tensor<1x6x4xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.conv_transpose2d "t" %x {weight = #nopt.array<[[[[1, 2], [3, 4]]]] : tensor<1x1x2x2xi8>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, -2], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x2x2xi1> -> tensor<1x6x4xi16>
  ntensor.output %a : tensor<1x6x4xi16>
}

// -----

// Positions are removed before the map, never added.
// CHECK:      error[NTE006]: padding is out of range
// CHECK-NEXT:   at: ntensor.conv_transpose2d "t"
// CHECK-NEXT:   expected: 0 or more before, more than -2 after
// CHECK-NEXT:   found: -1 before, 0 after
// CHECK-NEXT:   help: shorten the result to the positions that a kernel reaches
ntensor.network @before("x" %x: tensor<1x2x2xi1>) -> ("o": tensor<1x5x4xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.conv_transpose2d "t" %x {weight = #nopt.array<[[[[1, 2], [3, 4]]]] : tensor<1x1x2x2xi8>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[-1, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x2x2xi1> -> tensor<1x5x4xi16>
  ntensor.output %a : tensor<1x5x4xi16>
}

// -----

// CHECK:      error[NTE002]: the result has the wrong shape
// CHECK-NEXT:   at: ntensor.conv_transpose2d "t"
// CHECK-NEXT:   expected: (1, 4, 3)
// CHECK-NEXT:   found: (1, 4, 4)
ntensor.network @size("x" %x: tensor<1x2x2xi1>) -> ("o": tensor<1x4x4xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.conv_transpose2d "t" %x {weight = #nopt.array<[[[[1, 2], [3, 4]]]] : tensor<1x1x2x2xi8>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [1, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x2x2xi1> -> tensor<1x4x4xi16>
  ntensor.output %a : tensor<1x4x4xi16>
}

// -----

// CHECK:      error[NTE006]: factor is out of range
// CHECK-NEXT:   at: ntensor.upsample2d "u"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: [0, 2]
ntensor.network @nothing("x" %x: tensor<1x2x2xi1>) -> ("o": tensor<1x2x4xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.upsample2d "u" %x {factor = #nopt.array<[0, 2] : tensor<2xi64>>} : tensor<1x2x2xi1> -> tensor<1x2x4xf32>
  ntensor.output %a : tensor<1x2x4xf32>
}

// -----

// Each axis has as many elements as copies.
// CHECK:      error[NTE002]: the result has the wrong shape
// CHECK-NEXT:   at: ntensor.upsample2d "u"
// CHECK-NEXT:   expected: (1, 4, 4)
// CHECK-NEXT:   found: (1, 2, 4)
ntensor.network @copies("x" %x: tensor<1x2x2xi1>) -> ("o": tensor<1x2x4xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.upsample2d "u" %x {factor = #nopt.array<[2, 2] : tensor<2xi64>>} : tensor<1x2x2xi1> -> tensor<1x2x4xf32>
  ntensor.output %a : tensor<1x2x4xf32>
}
