// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A weight that is the sum of no axons of its source: 5 and 3 have the sums 5, 3 and 8.
// CHECK:      error[NTE008]: a weight is not a sum of the values of its axons
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: a sum of some of 5, 3
// CHECK-NEXT:   found: weight[1, 2] = 7, into neuron 1
// CHECK-NEXT:   help: nopt {{.*}}axon_types-errors.mlir --split-input-file -p ntensor-fit-axon-types
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 7]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<4x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// -----

// A weight whose source has no axon in the slice.
// CHECK:      error[NTE008]: a weight is not a sum of the values of its axons
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: 0, since its source has no axon
// CHECK-NEXT:   found: weight[1, 1] = 5, into neuron 1
// CHECK-NEXT:   help: nopt {{.*}}axon_types-errors.mlir --split-input-file -p ntensor-fit-axon-types
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<3x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// -----

// Values for another number of neurons.
// CHECK:      error[NTE002]: the values of axon types has the wrong shape
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: (2, 2)
// CHECK-NEXT:   found: (3, 2)
// CHECK-NEXT:   help: change the shape of the values of axon types to (2, 2)
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3], [0, 0]] : tensor<3x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<4x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// -----

// Slices of another number of neurons.
// CHECK:      error[NTE002]: the slices of axon types has the wrong shape
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: (2,)
// CHECK-NEXT:   found: (1,)
// CHECK-NEXT:   help: change the shape of the slices of axon types to (2,)
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0] : tensor<1xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<4x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// -----

// An axon with three numbers.
// CHECK:      error[NTE002]: the axons of axon types has the wrong shape
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: (4, 4)
// CHECK-NEXT:   found: (4, 3)
// CHECK-NEXT:   help: change the shape of the axons of axon types to (4, 4)
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 2, 1]] : tensor<4x3xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// -----

// An axon of a source that does not exist.
// CHECK:      error[NTE006]: an axon has a source that does not exist
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: a source below 3
// CHECK-NEXT:   found: source 3 of axon 3
// CHECK-NEXT:   help: correct the source
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 3, 1, 0]] : tensor<4x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// -----

// A type that the neurons have no value for.
// CHECK:      error[NTE006]: an axon has a type that does not exist
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: a type below 2
// CHECK-NEXT:   found: type 2 of axon 3
// CHECK-NEXT:   help: correct the type
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 2, 0]] : tensor<4x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// -----

// Axons that are not sorted.
// CHECK:      error[NTE006]: axons are not sorted
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: by slice, source, delay, then type
// CHECK-NEXT:   found: axon 1 is out of order
// CHECK-NEXT:   help: sort the axons by slice, source, delay, then type
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 1, 0, 0], [0, 0, 0, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<4x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// -----

// Nine axons of one source have too many sums.
// CHECK:      error[NTE006]: one source neuron has too many axons
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: at most 8 for each slice and delay
// CHECK-NEXT:   found: 9 axons
// CHECK-NEXT:   help: run ntensor-fit-axon-types with fewer duplicates
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 0, 0], [0, 2, 0, 0], [0, 2, 0, 0], [0, 2, 0, 0], [0, 2, 0, 0], [0, 2, 0, 0], [0, 2, 0, 0], [0, 2, 0, 0]] : tensor<11x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// -----

// Weights that change have no axon types.
// CHECK:      error[NTE006]: weights with axon types are constant, and have no zero point
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: constant weights without a zero point
// CHECK-NEXT:   found: a learning rule
// CHECK-NEXT:   help: nopt {{.*}}axon_types-errors.mlir --split-input-file -p ntensor-freeze-plasticity
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<4x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// -----

// Reals as values of integers.
// CHECK:      error[NTE006]: the values of axon types differ from the weights in their type
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: values of i8
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: store the values as the weights are
ntensor.network @n("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1.0, 2.0], [5.0, 3.0]] : tensor<2x2xf32>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<4x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}
