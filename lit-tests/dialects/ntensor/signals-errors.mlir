// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A count must have at least one bit.
// CHECK:      error[NTE003]: !ntensor.count requires 1 to 63 bits
// CHECK-NEXT:   at: !ntensor.count<0>
// CHECK-NEXT:   expected: 1 to 63
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: !ntensor.count<1>
ntensor.network @count("x" %x: tensor<2x!ntensor.count<0>>) -> ("out": tensor<2x!ntensor.count<0>>) attributes {tick_ns = 1000 : i64} {
  ntensor.output %x : tensor<2x!ntensor.count<0>>
}

// -----

// A payload must have at most 63 bits.
// CHECK:      error[NTE003]: !ntensor.graded requires 1 to 63 bits
// CHECK-NEXT:   at: !ntensor.graded<64>
// CHECK-NEXT:   expected: 1 to 63
// CHECK-NEXT:   found: 64
// CHECK-NEXT:   help: !ntensor.graded<63>
ntensor.network @graded("x" %x: tensor<2x!ntensor.graded<64>>) -> ("out": tensor<2x!ntensor.graded<64>>) attributes {tick_ns = 1000 : i64} {
  ntensor.output %x : tensor<2x!ntensor.graded<64>>
}

// -----

// Half precision is not a signal.
// CHECK:      error[NTE003]: input "x" is not a signal
// CHECK-NEXT:   at: ntensor.network @half
// CHECK-NEXT:   expected: i1, !ntensor.count, !ntensor.graded, f32, f64 or iN
// CHECK-NEXT:   found: f16
// CHECK-NEXT:   help: for spikes i1, for values f32 or f64
ntensor.network @half("x" %x: tensor<2xf16>) -> ("out": tensor<2xf16>) attributes {tick_ns = 1000 : i64} {
  ntensor.output %x : tensor<2xf16>
}

// -----

// A signal within a network must not have half precision.
// CHECK:      error[NTE003]: the result of a synapse is not a value
// CHECK-NEXT:   at: ntensor.scale "half"
// CHECK-NEXT:   expected: f32, f64 or iN
// CHECK-NEXT:   found: f16
// CHECK-NEXT:   help: declare the result as a tensor of f32 or f64
// CHECK:      error[NTE003]: an operand is not a signal
// CHECK-NEXT:   at: ntensor.sum
// CHECK-NEXT:   expected: i1, !ntensor.count, !ntensor.graded, f32, f64 or iN
// CHECK-NEXT:   found: f16
// CHECK-NEXT:   help: for spikes i1, for values f32 or f64
ntensor.network @inside("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.scale "half" %x {scale = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf16>
  %z = ntensor.sum %y : (tensor<2xf16>) -> tensor<2xf32>
  ntensor.output %z : tensor<2xf32>
}

// -----

// The result of a synapse must not be spikes.
// CHECK:      error[NTE003]: the result of a synapse is not a value
// CHECK-NEXT:   at: ntensor.scale "s"
// CHECK-NEXT:   expected: f32, f64 or iN
// CHECK-NEXT:   found: i1
// CHECK-NEXT:   help: declare the result as a tensor of f32 or f64
ntensor.network @spikes("x" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.scale "s" %x {scale = #nopt.array<1.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}

// -----

// f32 does not represent every number of f64, nor an integer type a real.
// CHECK:      error[NTE003]: an operand would change when it is converted to the type of the result
// CHECK-NEXT:   at: ntensor.sum
// CHECK-NEXT:   expected: a type whose numbers f32 holds
// CHECK-NEXT:   found: f64
// CHECK-NEXT:   help: declare the result as a tensor of f64
// CHECK:      error[NTE003]: an operand would change when it is converted to the type of the result
// CHECK-NEXT:   at: ntensor.sum
// CHECK-NEXT:   expected: a type whose numbers i32 holds
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: declare the result as a tensor of f32
ntensor.network @narrow("x" %x: tensor<2xf64>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum %x : (tensor<2xf64>) -> tensor<2xf32>
  %z = ntensor.sum %y : (tensor<2xf32>) -> tensor<2xi32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// f32 has 24 bits for an integer: it does not represent 2^24 + 1, which i32 does.
// CHECK:      error[NTE003]: an operand would change when it is converted to the type of the result
// CHECK-NEXT:   at: ntensor.sum
// CHECK-NEXT:   expected: a type whose numbers f32 holds
// CHECK-NEXT:   found: i32
// CHECK-NEXT:   help: declare the result as a tensor of i32
// CHECK:      error[NTE003]: scale would change when it is converted to f32
// CHECK-NEXT:   at: ntensor.scale "big"
// CHECK-NEXT:   expected: numbers that f32 holds
// CHECK-NEXT:   found: 16777217
// CHECK-NEXT:   help: convert scale to numbers of f32 first
ntensor.network @integers("x" %x: tensor<2xi32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum %x : (tensor<2xi32>) -> tensor<2xf32>
  %z = ntensor.scale "big" %y {scale = #nopt.array<16777217 : tensor<i32>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %z : tensor<2xf32>
}

// -----

// f32 must represent a weight of f64 exactly.
// CHECK:      error[NTE003]: scale would change when it is converted to f32
// CHECK-NEXT:   at: ntensor.scale "s"
// CHECK-NEXT:   expected: numbers that f32 holds
// CHECK-NEXT:   found: numbers of f64
// CHECK-NEXT:   help: convert scale to numbers of f32 first
ntensor.network @weight("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.scale "s" %x {scale = #nopt.array<0.1 : tensor<f64>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// An integer synapse must not have real weights, nor integers beyond its type.
// CHECK:      error[NTE003]: scale would change when it is converted to i8
// CHECK-NEXT:   at: ntensor.scale "real"
// CHECK-NEXT:   expected: numbers that i8 holds
// CHECK-NEXT:   found: numbers of f32
// CHECK-NEXT:   help: convert scale to numbers of i8 first
// CHECK:      error[NTE003]: scale would change when it is converted to i8
// CHECK-NEXT:   at: ntensor.scale "wide"
// CHECK-NEXT:   expected: numbers that i8 holds
// CHECK-NEXT:   found: -128 to 128
// CHECK-NEXT:   help: convert scale to numbers of i8 first
ntensor.network @whole("x" %x: tensor<2xi1>) -> ("out": tensor<2xi8>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.scale "real" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xi8>
  %z = ntensor.scale "wide" %x {scale = #nopt.array<[-128, 128] : tensor<2xi16>>} : tensor<2xi1> -> tensor<2xi8>
  ntensor.output %y : tensor<2xi8>
}

// -----

// Terms must have at least one bit.
// CHECK:      error[NTE003]: !ntensor.terms requires 1 to 63 bits
// CHECK-NEXT:   at: !ntensor.terms<0>
// CHECK-NEXT:   expected: 1 to 63
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: !ntensor.terms<1>
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2x!ntensor.terms<0>>) attributes {tick_ns = 1000} {
  %y = ntensor.scale "s" %x {scale = #nopt.array<1 : tensor<i8>>} : tensor<2xi1> -> tensor<2x!ntensor.terms<0>>
  ntensor.output %y : tensor<2x!ntensor.terms<0>>
}

// -----

// A weight of 3, times counts up to 31, times 4 from its exponent: 3 * 31 * 4 = 372; for -4 it is -496.
// CHECK:      error[NTE003]: the terms of this synapse are wider than their type
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: -256..255: !ntensor.terms<9>
// CHECK-NEXT:   found: -496..372: 10 bits
// CHECK-NEXT:   help: declare the result as a tensor of !ntensor.terms<10>
ntensor.network @n("x" %x: tensor<2x!ntensor.count<5>>, "z" %z: tensor<1xi1>) -> ("out": tensor<1xi8>) attributes {tick_ns = 1000} {
  %t = ntensor.linear "fc" %x {weight = #nopt.array<[[3, -4]] : tensor<1x2xi8>>, exponent = #nopt.array<2 : tensor<i8>>} : tensor<2x!ntensor.count<5>> -> tensor<1x!ntensor.terms<9>>
  %y = ntensor.scale "s" %z {scale = #nopt.array<1 : tensor<i8>>} : tensor<1xi1> -> tensor<1xi8>
  ntensor.output %y : tensor<1xi8>
}
