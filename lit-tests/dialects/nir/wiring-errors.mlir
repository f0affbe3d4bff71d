// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// The operands of a sum must have the same shape.
// CHECK:      error[NIR003]: operand 1 does not fit the node
// CHECK-NEXT:   at: nir.sum
// CHECK-NEXT:   expected: shape (2,)
// CHECK-NEXT:   found: shape (3,)
nir.graph @shapes("a" %a: tensor<2xf32>, "b" %b: tensor<3xf32>) -> ("out": tensor<2xf32>) {
  %s = nir.sum %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  nir.output %s : tensor<2xf32>
}

// -----

// The sum of spikes must be a value.
// CHECK:      error[NIR004]: the result has the wrong kind
// CHECK-NEXT:   at: nir.sum
// CHECK-NEXT:   expected: values (f32)
// CHECK-NEXT:   found: i1
nir.graph @spikes("a" %a: tensor<2xi1>, "b" %b: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %s = nir.sum %a, %b : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  nir.output %s : tensor<2xi1>
}

// -----

// A sum must have an operand.
// CHECK:      error[COR025]: {{.*}}xs
"nir.graph"() <{sym_name = "nothing", function_type = () -> tensor<2xf32>, input_names = [], output_names = ["out"]}> ({
  %s = "nir.sum"() : () -> tensor<2xf32>
  "nir.output"(%s) : (tensor<2xf32>) -> ()
}) : () -> ()

// -----

// An identity must keep shape and kind.
// CHECK:      error[NIR003]: the result does not fit the node
// CHECK-NEXT:   at: nir.identity "i"
nir.graph @shape("in" %x: tensor<2xf32>) -> ("out": tensor<1x2xf32>) {
  %y = nir.identity "i" %x : tensor<2xf32> -> tensor<1x2xf32>
  nir.output %y : tensor<1x2xf32>
}

// -----

// CHECK:      error[NIR004]: the result has the wrong kind
// CHECK-NEXT:   at: nir.identity "i"
// CHECK-NEXT:   expected: spikes (i1)
nir.graph @kind("in" %x: tensor<2xi1>) -> ("out": tensor<2xf32>) {
  %y = nir.identity "i" %x : tensor<2xi1> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// Flatten must refer to existing axes.
// CHECK:      error[NIR002]: the axes to flatten are out of range
// CHECK-NEXT:   at: nir.flatten "f"
// CHECK-NEXT:   expected: start_dim <= end_dim, both below 2, the number of axes of (2, 3)
// CHECK-NEXT:   found: 0 to 2
// CHECK-NEXT:   help: start_dim 0 and end_dim -1 flatten all axes
nir.graph @axes("in" %x: tensor<2x3xf32>) -> ("out": tensor<6xf32>) {
  %y = nir.flatten "f" %x {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<2 : tensor<i64>>} : tensor<2x3xf32> -> tensor<6xf32>
  nir.output %y : tensor<6xf32>
}

// -----

// The axes of flatten must be in order.
// CHECK:      error[NIR002]: the axes to flatten are out of range
// CHECK:        found: 1 to 0
nir.graph @order("in" %x: tensor<2x3xf32>) -> ("out": tensor<6xf32>) {
  %y = nir.flatten "f" %x {start_dim = #nopt.array<1 : tensor<i64>>, end_dim = #nopt.array<0 : tensor<i64>>} : tensor<2x3xf32> -> tensor<6xf32>
  nir.output %y : tensor<6xf32>
}

// -----

// Negative axes must not go beyond the first axis.
// CHECK:      error[NIR002]: start_dim is out of range
// CHECK-NEXT:   at: nir.flatten "f"
// CHECK-NEXT:   expected: integers from -2
// CHECK-NEXT:   found: -3
nir.graph @far("in" %x: tensor<2x3xf32>) -> ("out": tensor<6xf32>) {
  %y = nir.flatten "f" %x {start_dim = #nopt.array<-3 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2x3xf32> -> tensor<6xf32>
  nir.output %y : tensor<6xf32>
}

// -----

// Each axis must be a single number.
// CHECK:      error[NIR001]: start_dim has the wrong shape
// CHECK-NEXT:   at: nir.flatten "f"
// CHECK-NEXT:   expected: () or (1,)
// CHECK-NEXT:   found: (2,)
// CHECK-NEXT:   help: change the shape of start_dim to (1,)
nir.graph @two("in" %x: tensor<2x3xf32>) -> ("out": tensor<6xf32>) {
  %y = nir.flatten "f" %x {start_dim = #nopt.array<[0, 1] : tensor<2xi64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2x3xf32> -> tensor<6xf32>
  nir.output %y : tensor<6xf32>
}

// -----

// A reshape keeps the number of elements.
// CHECK:      error[NIR002]: a reshape keeps the number of elements
// CHECK-NEXT:   at: nir.reshape "r"
// CHECK-NEXT:   expected: 6 elements, as [2, 3]
// CHECK-NEXT:   found: [2, 2]
// CHECK-NEXT:   help: sizes with the product 6
nir.graph @elements("in" %x: tensor<2x3xf32>) -> ("out": tensor<2x2xf32>) {
  %y = nir.reshape "r" %x {shape = #nopt.array<[2, 2] : tensor<2xi64>>} : tensor<2x3xf32> -> tensor<2x2xf32>
  nir.output %y : tensor<2x2xf32>
}

// -----

// The sizes of a reshape are positive.
// CHECK:      error[NIR002]: shape is out of range
// CHECK-NEXT:   at: nir.reshape "r"
// CHECK-NEXT:   expected: integers from 1
// CHECK-NEXT:   found: [-1]
nir.graph @negative_size("in" %x: tensor<2x3xf32>) -> ("out": tensor<6xf32>) {
  %y = nir.reshape "r" %x {shape = #nopt.array<[-1] : tensor<1xi64>>} : tensor<2x3xf32> -> tensor<6xf32>
  nir.output %y : tensor<6xf32>
}

// -----

// Delays must not be negative.
// CHECK:      error[NIR002]: delay must not be negative
// CHECK-NEXT:   at: nir.delay "d"
// CHECK-NEXT:   expected: 0 s or more
// CHECK-NEXT:   found: -0.5 s
// CHECK-NEXT:   help: correct delay where the network was exported
nir.graph @negative("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %d = nir.delay "d" %x {delay = #nopt.array<[0.0, -0.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %d : tensor<2xf32>
}

// -----

// Delays must have one entry for all neurons, or one for each.
// CHECK:      error[NIR003]: the operand does not fit the node
// CHECK-NEXT:   at: nir.delay "d"
// CHECK-NEXT:   expected: shape (3,)
// CHECK-NEXT:   found: shape (2,)
nir.graph @other("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %d = nir.delay "d" %x {delay = #nopt.array<[0.0, 0.5, 1.0] : tensor<3xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %d : tensor<2xf32>
}
