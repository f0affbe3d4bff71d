// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A weight must have an axis of outputs and one of inputs.
// CHECK:      error[NIR001]: weight has too few axes
// CHECK-NEXT:   at: nir.linear "fc 1"
// CHECK-NEXT:   expected: [..., outputs, inputs]
// CHECK-NEXT:   found: (2,)
// CHECK-NEXT:   help: a single row of weights has the shape (1, inputs)
nir.graph @case0("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[1.0, 2.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// The operand must have as many elements as the weight has inputs.
// CHECK:      error[NIR003]: the operand does not fit the node
// CHECK-NEXT:   at: nir.linear "fc 1"
// CHECK-NEXT:   expected: shape (2,)
// CHECK-NEXT:   found: shape (3,)
nir.graph @case1("in" %x: tensor<3xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<3xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// The result must have as many elements as the weight has outputs.
// CHECK:      error[NIR003]: the result does not fit the node
// CHECK-NEXT:   at: nir.linear "fc 1"
// CHECK-NEXT:   expected: shape (1,)
// CHECK-NEXT:   found: shape (2,)
nir.graph @case2("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// A bias must have one entry for each output, or one for all.
// CHECK:      error[NIR001]: bias has the wrong shape
// CHECK-NEXT:   at: nir.affine "fc 1"
// CHECK-NEXT:   expected: () or (1,)
// CHECK-NEXT:   found: (2,)
// CHECK-NEXT:   help: change the shape of bias to (1,)
nir.graph @case3("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.affine "fc 1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, bias = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// A scale must have one entry for each element of the operand, or one for all.
// CHECK:      error[NIR003]: the operand does not fit the node
// CHECK-NEXT:   at: nir.scale "s"
// CHECK-NEXT:   expected: shape (3,)
// CHECK-NEXT:   found: shape (2,)
nir.graph @case4("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.scale "s" %x {scale = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// Delays must have one entry for each weight, or one for all.
// CHECK:      error[NIR001]: delays has the wrong shape
// CHECK-NEXT:   at: nir.linear "fc 1"
// CHECK-NEXT:   expected: () or (1, 2)
// CHECK-NEXT:   found: (2,)
// CHECK-NEXT:   help: change the shape of delays to (1, 2)
nir.graph @case5("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, delays = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// Delays must not be negative.
// CHECK:      error[NIR002]: delays must not be negative
// CHECK-NEXT:   at: nir.linear "fc 1"
// CHECK-NEXT:   expected: 0 s or more
// CHECK-NEXT:   found: -0.001 s
nir.graph @case6("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, delays = #nopt.array<-0.001 : tensor<f32>>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// Delays must be finite.
// CHECK:      error[NIR002]: delays is not finite
nir.graph @case7("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, delays = #nopt.array<"0x0000807f" : tensor<f32>>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// Delays of a pool must have one entry for each position of its kernel, or one for all.
// CHECK:      error[NIR001]: delays has the wrong shape
// CHECK-NEXT:   at: nir.sum_pool2d "p"
// CHECK-NEXT:   expected: () or (2, 2)
// CHECK-NEXT:   found: (3,)
nir.graph @case8("in" %x: tensor<1x4x4xf32>) -> ("out": tensor<1x2x2xf32>) {
  %y = nir.sum_pool2d "p" %x {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, delays = #nopt.array<[0.0, 0.0, 0.0] : tensor<3xf32>>} : tensor<1x4x4xf32> -> tensor<1x2x2xf32>
  nir.output %y : tensor<1x2x2xf32>
}

// -----

// The time constants of plasticity must be positive.
// CHECK:      error[NIR002]: tau_minus of its plasticity is out of range
// CHECK-NEXT:   at: nir.linear "fc 1"
// CHECK-NEXT:   expected: more than 0 s
// CHECK-NEXT:   found: 0.0
// CHECK-NEXT:   help: #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0> has every number in range
nir.graph @case9("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.0, 0.0, 1.0>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// The amplitudes of plasticity must be finite.
// CHECK:      error[NIR002]: a_plus of its plasticity is out of range
// CHECK-NEXT:   at: nir.linear "fc 1"
// CHECK-NEXT:   expected: a finite number
// CHECK-NEXT:   found: inf
nir.graph @case10("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, plasticity = #nir.stdp<0x7FF0000000000000 : f64, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// The bounds of plasticity must not exclude every weight.
// CHECK:      error[NIR002]: the weight bounds of its plasticity are empty
// CHECK-NEXT:   at: nir.linear "fc 1"
// CHECK-NEXT:   expected: w_min <= w_max
// CHECK-NEXT:   found: 1.0 > 0.5
// CHECK-NEXT:   help: exchange the last two numbers of #nir.stdp
nir.graph @case11("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 1.0, 0.5>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// Transmission must be one of three words.
// CHECK:      error[COR024]: {{.*}}spike
nir.graph @case12("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, transmission = #nir.transmission<smoke>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// A kernel must have axes for output channels, input channels, and each axis of space.
// CHECK:      error[NIR001]: weight has the wrong shape
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: 3 axes [outputs, inputs / groups, kernel], none empty
// CHECK-NEXT:   found: (1, 3)
// CHECK-NEXT:   help: a kernel of one channel has the shape (1, 1, 3)
nir.graph @case13("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[1.0, 0.0, -1.0]] : tensor<1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// A kernel must have at least one position.
// CHECK:      error[NIR001]: weight has the wrong shape
nir.graph @case14("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x7xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<"0x" : tensor<1x1x0xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x7xf32> -> tensor<1x7xf32>
  nir.output %y : tensor<1x7xf32>
}

// -----

// Strides must be positive.
// CHECK:      error[NIR002]: stride is out of range
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: 0
nir.graph @case15("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<0 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// Strides must be integers.
// CHECK:      error[NIR002]: stride is out of range
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: 1.5
nir.graph @case16("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1.5 : tensor<f32>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// Strides must have one entry for each axis.
// CHECK:      error[NIR001]: stride has the wrong shape
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: () or (1,)
// CHECK-NEXT:   found: (2,)
nir.graph @case17("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// Dilations must be positive.
// CHECK:      error[NIR002]: dilation is out of range
nir.graph @case18("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<0 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// Padding must not be negative.
// CHECK:      error[NIR002]: padding is out of range
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: integers from 0
// CHECK-NEXT:   found: -1
nir.graph @case19("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x3xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<-1 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x7xf32> -> tensor<1x3xf32>
  nir.output %y : tensor<1x3xf32>
}

// -----

// Padding in words must be one of two.
// CHECK:      error[NIR002]: padding is out of range
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: same, valid, or numbers
// CHECK-NEXT:   found: "full"
// CHECK-NEXT:   help: padding = "valid" pads nothing
nir.graph @case20("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x9xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = "full", dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x7xf32> -> tensor<1x9xf32>
  nir.output %y : tensor<1x9xf32>
}

// -----

// Padding "same" must not be combined with a stride other than 1.
// CHECK:      error[NIR002]: padding `same` requires stride 1
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: stride 1, or padding in numbers
// CHECK-NEXT:   found: stride 2
// CHECK-NEXT:   help: specify the zeros before and after each axis as numbers
nir.graph @case21("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x7xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<2 : tensor<i64>>, padding = "same", dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x7xf32> -> tensor<1x7xf32>
  nir.output %y : tensor<1x7xf32>
}

// -----

// Groups must divide the output channels.
// CHECK:      error[NIR002]: groups must divide the output channels
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: a divisor of 1
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: groups 1 connects every channel with every other
nir.graph @case22("in" %x: tensor<2x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<2 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<2x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// The input channels must be those of the weight times the groups: here 1 times 1.
// CHECK:      error[NIR003]: the operand does not fit the node
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: shape (1, 7)
// CHECK-NEXT:   found: shape (2, 7)
nir.graph @case23("in" %x: tensor<2x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<2x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// The number of groups must be at least 1.
// CHECK:      error[NIR002]: groups is out of range
nir.graph @case24("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<0 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// A bias must have one entry for each output channel, or one for all.
// CHECK:      error[NIR001]: bias has the wrong shape
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: () or (1,)
// CHECK-NEXT:   found: (2,)
nir.graph @case25("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<1x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// The first axis must be channels, then the axes of space.
// CHECK:      error[NIR003]: the operand has the wrong number of axes
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: 2 axes, channels first
// CHECK-NEXT:   found: shape (7,)
// CHECK-NEXT:   help: correct the node before it
nir.graph @case26("in" %x: tensor<7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// The kernel must fit at least once.
// CHECK:      error[NIR003]: the kernel is larger than the padded operand
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: at least one position of the kernel on each axis
// CHECK-NEXT:   found: kernel (3,), dilation (1,) on shape (1, 2)
// CHECK-NEXT:   help: increase the padding, or correct the node before it
nir.graph @case27("in" %x: tensor<1x2xf32>) -> ("out": tensor<1x1xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2xf32> -> tensor<1x1xf32>
  nir.output %y : tensor<1x1xf32>
}

// -----

// The declared sizes must be those of the operand.
// CHECK:      error[NIR003]: the operand does not fit the node
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: shape (1, 8)
// CHECK-NEXT:   found: shape (1, 7)
nir.graph @case28("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>, input_shape = #nopt.array<8 : tensor<i64>>} : tensor<1x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// The declared sizes must have one entry for each axis.
// CHECK:      error[NIR001]: input_shape has the wrong shape
// CHECK-NEXT:   at: nir.conv1d "c"
// CHECK-NEXT:   expected: () or (1,)
// CHECK-NEXT:   found: (2,)
nir.graph @case29("in" %x: tensor<1x7xf32>) -> ("out": tensor<1x5xf32>) {
  %y = nir.conv1d "c" %x {weight = #nopt.array<[[[1.0, 0.0, -1.0]]] : tensor<1x1x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>, input_shape = #nopt.array<[1, 7] : tensor<2xi64>>} : tensor<1x7xf32> -> tensor<1x5xf32>
  nir.output %y : tensor<1x5xf32>
}

// -----

// A pool must have a kernel of at least one position.
// CHECK:      error[NIR002]: kernel_size is out of range
// CHECK-NEXT:   at: nir.sum_pool2d "p"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: [2, 0]
nir.graph @case30("in" %x: tensor<1x4x4xf32>) -> ("out": tensor<1x2x2xf32>) {
  %y = nir.sum_pool2d "p" %x {kernel_size = #nopt.array<[2, 0] : tensor<2xi64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>} : tensor<1x4x4xf32> -> tensor<1x2x2xf32>
  nir.output %y : tensor<1x2x2xf32>
}

// -----

// The operand of a pool must have channels and two axes.
// CHECK:      error[NIR003]: the operand has the wrong number of axes
// CHECK-NEXT:   at: nir.avg_pool2d "p"
// CHECK-NEXT:   expected: 3 axes, channels first
// CHECK-NEXT:   found: shape (4, 4)
nir.graph @case31("in" %x: tensor<4x4xf32>) -> ("out": tensor<2x2xf32>) {
  %y = nir.avg_pool2d "p" %x {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>} : tensor<4x4xf32> -> tensor<2x2xf32>
  nir.output %y : tensor<2x2xf32>
}

// -----

// The kernel of a pool must fit at least once.
// CHECK:      error[NIR003]: the kernel is larger than the padded operand
// CHECK-NEXT:   at: nir.avg_pool2d "p"
nir.graph @case32("in" %x: tensor<1x4x1xf32>) -> ("out": tensor<1x2x1xf32>) {
  %y = nir.avg_pool2d "p" %x {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>} : tensor<1x4x1xf32> -> tensor<1x2x1xf32>
  nir.output %y : tensor<1x2x1xf32>
}
