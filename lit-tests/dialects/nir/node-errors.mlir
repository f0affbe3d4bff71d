// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A weight must be finite; the message contains its index.
// CHECK:      node-errors.mlir:10:3: error[NIR002]: weight is not finite
// CHECK-NEXT:   at: nir.linear "fc 1"
// CHECK-NEXT:   expected: finite numbers
// CHECK-NEXT:   found: nan at index [0, 1]
// CHECK-NEXT:   help: export the network again from a training run that did not diverge
nir.graph @nan("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "fc 1" %x {weight = #nopt.array<"0x0000803f0000c07f" : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// Booleans are not weights.
// CHECK:      error[NIR002]: scale is not an array of numbers
// CHECK-NEXT:   at: nir.scale "s"
// CHECK-NEXT:   expected: floating-point or integer numbers
// CHECK-NEXT:   found: bool
// CHECK-NEXT:   help: convert scale to f32
nir.graph @bool("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.scale "s" %x {scale = #nopt.array<[true, false] : tensor<2xi1>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// The result must have the shape that follows from the parameters and the operand.
// CHECK:      error[NIR003]: the result does not fit the node
// CHECK-NEXT:   at: nir.scale "s"
// CHECK-NEXT:   expected: shape (2,)
// CHECK-NEXT:   found: shape (3,)
// CHECK-NEXT:   help: correct the node before it, or its own parameters
nir.graph @result("in" %x: tensor<2xf32>) -> ("out": tensor<3xf32>) {
  %y = nir.scale "s" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<2xf32> -> tensor<3xf32>
  nir.output %y : tensor<3xf32>
}

// -----

// The result of a spiking population must be spikes.
// CHECK:      error[NIR004]: the result has the wrong kind
// CHECK-NEXT:   at: nir.threshold "t"
// CHECK-NEXT:   expected: spikes (i1)
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: declare its type as a tensor of i1
nir.graph @spikes("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.threshold "t" %x {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// The result of a synapse must be values, also for spikes as operand.
// CHECK:      error[NIR004]: the result has the wrong kind
// CHECK-NEXT:   at: nir.scale "s"
// CHECK-NEXT:   expected: values (f32)
// CHECK-NEXT:   found: i1
nir.graph @values("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %y = nir.scale "s" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}

// -----

// Edges must carry i1 or f32.
// CHECK:      error[NIR004]: the operand is not a signal
// CHECK-NEXT:   at: nir.identity "i"
// CHECK-NEXT:   expected: a tensor of i1 (spikes) or f32 (values)
// CHECK-NEXT:   found: tensor<2xi32>
%x = "test.op"() : () -> tensor<2xi32>
%y = nir.identity "i" %x : tensor<2xi32> -> tensor<2xi32>

// -----

// A parameter that is not an array is refused by the parser.
// CHECK:      error[COR024]: 3.000000e+00 : f32 should be of base attribute nopt.array
nir.graph @number("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.scale "s" %x {scale = 3.0 : f32} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// A missing parameter is refused by the parser.
// CHECK:      error[{{COR024|COR025}}]: {{.*}}scale
nir.graph @missing("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.scale "s" %x : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// A misspelt optional parameter must not be ignored silently.
// CHECK:      error[COR009]: nir.scale has no property 'delay'
// CHECK-NEXT:   at: nir.scale "s"
// CHECK-NEXT:   expected: one of delays, metadata, node, plasticity, scale, transmission, or a name with a dot
// CHECK-NEXT:   found: delay
// CHECK-NEXT:   help: correct the spelling, or put a dot into the name of an annotation of your own
nir.graph @spelling("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.scale "s" %x {scale = #nopt.array<2.0 : tensor<f32>>, delay = #nopt.array<0.001 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// All errors of a network are reported together.
// CHECK:      error[NIR002]: threshold is not finite
// CHECK-NEXT:   at: nir.threshold "first"
// CHECK:      error[NIR002]: threshold is not finite
// CHECK-NEXT:   at: nir.threshold "second"
nir.graph @both("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %y = nir.threshold "first" %x {threshold = #nopt.array<"0x0000807f" : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %z = nir.threshold "second" %y {threshold = #nopt.array<"0x0000807f" : tensor<1xf32>>} : tensor<1xi1> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
