// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A reshape must keep the number of elements.
// CHECK:      error[NTE002]: a reshape changes the number of elements
// CHECK-NEXT:   at: ntensor.reshape "flat"
// CHECK-NEXT:   expected: 6
// CHECK-NEXT:   found: 4
// CHECK-NEXT:   help: declare a result of 6 elements
ntensor.network @fewer("x" %x: tensor<2x3xf32>) -> ("out": tensor<4xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.reshape "flat" %x : tensor<2x3xf32> -> tensor<4xf32>
  ntensor.output %y : tensor<4xf32>
}

// -----

// A reshape must keep the kind.
// CHECK:      error[NTE003]: a reshape changes the element type
// CHECK-NEXT:   at: ntensor.reshape "flat"
// CHECK-NEXT:   expected: i1
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: declare the result as a tensor of i1
ntensor.network @kinds("x" %x: tensor<2xi1>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.reshape "flat" %x : tensor<2xi1> -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// A reshape of half precision in a cycle is refused.
// CHECK:      error[NTE001]: a loop has no delay
// CHECK-NEXT:   at: ntensor.reshape "flat"
// CHECK-NEXT:   expected: an ntensor.delay of at least one tick in every loop
// CHECK-NEXT:   found: ntensor.reshape "flat" -> ntensor.reshape "flat"
// CHECK-NEXT:   help: put an ntensor.delay of one tick on an edge of the loop
// CHECK:      error[NTE003]: the operand is not a signal
// CHECK-NEXT:   at: ntensor.reshape "flat"
// CHECK-NEXT:   expected: i1, !ntensor.count, !ntensor.graded, f32, f64 or iN
// CHECK-NEXT:   found: f16
// CHECK-NEXT:   help: for spikes i1, for values f32 or f64
ntensor.network @half("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %h = ntensor.reshape "flat" %h : tensor<2xf16> -> tensor<2xf16>
  ntensor.output %x : tensor<2xf32>
}

// -----

// Operands of a sum must have the same shape.
// CHECK:      error[NTE002]: an operand has the wrong shape
// CHECK-NEXT:   at: ntensor.sum
// CHECK-NEXT:   expected: (1, 2)
// CHECK-NEXT:   found: (2,)
// CHECK-NEXT:   help: change the shape of an operand to (1, 2)
ntensor.network @shapes("x" %x: tensor<2xf32>) -> ("out": tensor<1x2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum %x : (tensor<2xf32>) -> tensor<1x2xf32>
  ntensor.output %y : tensor<1x2xf32>
}

// -----

// The sum of spikes must be a value.
// CHECK:      error[NTE003]: the result of a synapse is not a value
// CHECK-NEXT:   at: ntensor.sum
// CHECK-NEXT:   expected: f32, f64 or iN
// CHECK-NEXT:   found: i1
// CHECK-NEXT:   help: declare the result as a tensor of f32 or f64
ntensor.network @spikes("x" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}

// -----

// A delay must not be negative.
// CHECK:      error[NTE006]: ticks is out of range
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NEXT:   expected: integers from 0
// CHECK-NEXT:   found: [1, -1]
// CHECK-NEXT:   help: set ticks to integers from 0
ntensor.network @back("x" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.delay "d" %x {ticks = #nopt.array<[1, -1] : tensor<2xi64>>} : tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}

// -----

// A delay must be an integer number of ticks, not seconds.
// CHECK:      error[NTE006]: ticks is out of range
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NEXT:   expected: integers from 0
// CHECK-NEXT:   found: 0.0010000000474974513
// CHECK-NEXT:   help: set ticks to integers from 0
ntensor.network @seconds("x" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.delay "d" %x {ticks = #nopt.array<0.001 : tensor<f32>>} : tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}

// -----

// Delays must have one entry for all elements, or one for each.
// CHECK:      error[NTE002]: ticks has the wrong shape
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NEXT:   expected: () or (2,)
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: change the shape of ticks to (2,)
ntensor.network @each("x" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.delay "d" %x {ticks = #nopt.array<[1, 2, 3] : tensor<3xi64>>} : tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}

// -----

// A delay of half precision is refused.
// CHECK:      error[NTE003]: the operand is not a signal
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NEXT:   expected: i1, !ntensor.count, !ntensor.graded, f32, f64 or iN
// CHECK-NEXT:   found: f16
// CHECK-NEXT:   help: for spikes i1, for values f32 or f64
ntensor.network @precision("x" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %h = ntensor.delay "d" %h {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf16>
  ntensor.output %x : tensor<2xi1>
}

// -----

// A delay must keep the type.
// CHECK:      error[COR025]: result 'y' at position 0 does not verify
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NEXT:   note: attribute tensor<2xi1> expected from variable 'T', but got tensor<2xf32>
ntensor.network @same("x" %x: tensor<2xi1>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = "ntensor.delay"(%x) <{node = "d", ticks = #nopt.array<1 : tensor<i64>>}> : (tensor<2xi1>) -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// The sum of terms must be terms, not a value.
// CHECK:      error[NTE003]: the result does not hold the terms of the operand
// CHECK-NEXT:   at: ntensor.sum
// CHECK-NEXT:   expected: !ntensor.terms<8>, or wider terms
// CHECK-NEXT:   found: i16
// CHECK-NEXT:   help: declare the result as a tensor of !ntensor.terms<8>
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %t = ntensor.scale "s" %x {scale = #nopt.array<3 : tensor<i8>>} : tensor<2xi1> -> tensor<2x!ntensor.terms<8>>
  %y = ntensor.sum %t : (tensor<2x!ntensor.terms<8>>) -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// A reshape must not make terms narrower.
// CHECK:      error[NTE003]: the result does not hold the terms of the operand
// CHECK-NEXT:   at: ntensor.reshape "r"
// CHECK-NEXT:   expected: !ntensor.terms<8>, or wider terms
// CHECK-NEXT:   found: !ntensor.terms<7>
// CHECK-NEXT:   help: declare the result as a tensor of !ntensor.terms<8>
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %t = ntensor.scale "s" %x {scale = #nopt.array<3 : tensor<i8>>} : tensor<2xi1> -> tensor<2x!ntensor.terms<8>>
  %u = ntensor.reshape "r" %t : tensor<2x!ntensor.terms<8>> -> tensor<2x!ntensor.terms<7>>
  %y = ntensor.scale "t" %x {scale = #nopt.array<3 : tensor<i8>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}

// -----

// Terms must not be delayed; the operand of their synapse can be.
// CHECK:      error[NTE003]: the operand is not a signal
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NEXT:   expected: i1, !ntensor.count, !ntensor.graded, f32, f64 or iN
// CHECK-NEXT:   found: !ntensor.terms<8>
// CHECK-NEXT:   help: for spikes i1, for values f32 or f64
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %t = ntensor.scale "s" %x {scale = #nopt.array<3 : tensor<i8>>} : tensor<2xi1> -> tensor<2x!ntensor.terms<8>>
  %u = ntensor.delay "d" %t {ticks = #nopt.array<1 : tensor<i8>>} : tensor<2x!ntensor.terms<8>>
  %y = ntensor.scale "t" %x {scale = #nopt.array<3 : tensor<i8>>} : tensor<2xi1> -> tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}
