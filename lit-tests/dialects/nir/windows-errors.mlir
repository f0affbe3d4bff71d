// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A window of a max pool has an element of the map.
// CHECK:      error[NIR002]: a window of a max pool has no element
// CHECK-NEXT:   at: nir.max_pool2d "pool"
// CHECK-NEXT:   expected: padding below 2
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: set padding to at most 1
nir.graph @case0("in" %x: tensor<1x2x2xf32>) -> ("out": tensor<1x5x3xf32>) {
  %y = nir.max_pool2d "pool" %x {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<[2, 1] : tensor<2xi64>>} : tensor<1x2x2xf32> -> tensor<1x5x3xf32>
  nir.output %y : tensor<1x5x3xf32>
}

// -----

// A max pool keeps the kind of its operand.
// CHECK:      error[NIR004]: the result has the wrong kind
// CHECK-NEXT:   at: nir.max_pool2d "pool"
// CHECK-NEXT:   expected: values (f32)
// CHECK-NEXT:   found: i1
nir.graph @case1("in" %x: tensor<1x2x2xf32>) -> ("out": tensor<1x1x1xi1>) {
  %y = nir.max_pool2d "pool" %x {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>} : tensor<1x2x2xf32> -> tensor<1x1x1xi1>
  nir.output %y : tensor<1x1x1xi1>
}

// -----

// The weight of a transposed convolution has the input channels first.
// CHECK:      error[NIR003]: the operand does not fit the node
// CHECK-NEXT:   at: nir.conv_transpose2d "up"
// CHECK-NEXT:   expected: shape (1, 2, 2)
// CHECK-NEXT:   found: shape (2, 2, 2)
nir.graph @case2("in" %x: tensor<2x2x2xf32>) -> ("out": tensor<1x2x2xf32>) {
  %y = nir.conv_transpose2d "up" %x {weight = #nopt.array<[[[[1.0]], [[2.0]]]] : tensor<1x2x1x1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, output_padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<2x2x2xf32> -> tensor<1x2x2xf32>
  nir.output %y : tensor<1x2x2xf32>
}

// -----

// Output padding beyond a step has no meaning.
// CHECK:      error[NIR002]: output_padding is not smaller than stride or dilation
// CHECK-NEXT:   at: nir.conv_transpose2d "up"
// CHECK-NEXT:   expected: below 2
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: set output_padding to at most 1
nir.graph @case3("in" %x: tensor<1x2x2xf32>) -> ("out": tensor<1x5x5xf32>) {
  %y = nir.conv_transpose2d "up" %x {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, output_padding = #nopt.array<2 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2x2xf32> -> tensor<1x5x5xf32>
  nir.output %y : tensor<1x5x5xf32>
}

// -----

// CHECK:      error[NIR002]: groups must divide the input channels
// CHECK-NEXT:   at: nir.conv_transpose2d "up"
// CHECK-NEXT:   expected: a divisor of 1
// CHECK-NEXT:   found: 2
nir.graph @case4("in" %x: tensor<1x2x2xf32>) -> ("out": tensor<2x2x2xf32>) {
  %y = nir.conv_transpose2d "up" %x {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, output_padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<2 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2x2xf32> -> tensor<2x2x2xf32>
  nir.output %y : tensor<2x2x2xf32>
}

// -----

// CHECK:      error[NIR001]: weight has the wrong shape
// CHECK-NEXT:   at: nir.conv_transpose2d "up"
// CHECK-NEXT:   expected: 4 axes [inputs, outputs / groups, kernel], none empty
// CHECK-NEXT:   found: (1, 1, 1)
nir.graph @case5("in" %x: tensor<1x2x2xf32>) -> ("out": tensor<1x2x2xf32>) {
  %y = nir.conv_transpose2d "up" %x {weight = #nopt.array<[[[1.0]]] : tensor<1x1x1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, output_padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2x2xf32> -> tensor<1x2x2xf32>
  nir.output %y : tensor<1x2x2xf32>
}

// -----

// CHECK:      error[NIR003]: the padding removes the whole result
// CHECK-NEXT:   at: nir.conv_transpose2d "up"
// CHECK-NEXT:   expected: at least one element on each axis
// CHECK-NEXT:   found: sizes (0, 2)
// CHECK-NEXT:   help: decrease the padding
nir.graph @case6("in" %x: tensor<1x2x2xf32>) -> ("out": tensor<1x2x2xf32>) {
  %y = nir.conv_transpose2d "up" %x {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<[1, 0] : tensor<2xi64>>, output_padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2x2xf32> -> tensor<1x2x2xf32>
  nir.output %y : tensor<1x2x2xf32>
}

// -----

// CHECK:      error[NIR002]: unknown mode of upsampling
// CHECK-NEXT:   at: nir.upsample2d "up"
// CHECK-NEXT:   expected: one of nearest, bilinear, bilinear-corners
// CHECK-NEXT:   found: "bicubic"
// CHECK-NEXT:   help: mode = "nearest" repeats elements
nir.graph @case7("in" %x: tensor<1x2x2xf32>) -> ("out": tensor<1x4x4xf32>) {
  %y = nir.upsample2d "up" %x {factor = #nopt.array<2 : tensor<i64>>, mode = "bicubic"} : tensor<1x2x2xf32> -> tensor<1x4x4xf32>
  nir.output %y : tensor<1x4x4xf32>
}

// -----

// CHECK:      error[NIR002]: factor is out of range
// CHECK-NEXT:   at: nir.upsample2d "up"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: 1.5
nir.graph @case8("in" %x: tensor<1x2x2xf32>) -> ("out": tensor<1x3x3xf32>) {
  %y = nir.upsample2d "up" %x {factor = #nopt.array<1.5 : tensor<f32>>, mode = "nearest"} : tensor<1x2x2xf32> -> tensor<1x3x3xf32>
  nir.output %y : tensor<1x3x3xf32>
}
