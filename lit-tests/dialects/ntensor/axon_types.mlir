// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s

// The last source has an axon of each type: 8 = 5 + 3, and 2 is the value of type 1 alone. A weight of 0 has no connection.
// CHECK-LABEL: ntensor.network @sums
// CHECK{LITERAL}: axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<4x4xi32>>>
ntensor.network @sums("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<4x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// Each neuron has a slice of its own, in which the second source has another type. An op of reals has values of reals: 0.5 + 0.25 = 0.75.
// CHECK-LABEL: ntensor.network @slices
// CHECK{LITERAL}: slices = #nopt.array<[0, 1] : tensor<2xi32>>
ntensor.network @slices("in" %x: tensor<3xi1>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, 0.25, 0], [0.75, 0.0, 0.25]] : tensor<2x3xf32>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[0.5, 0.25], [0.5, 0.25]] : tensor<2x2xf32>>, slices = #nopt.array<[0, 1] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0], [1, 2, 1, 0]] : tensor<5x4xi32>>>} : tensor<3xi1> -> tensor<2xf32>
  ntensor.output %a : tensor<2xf32>
}

// A source with synapses of two delays has an axon for each of them.
// CHECK-LABEL: ntensor.network @delays
// CHECK{LITERAL}: axons = #nopt.array<[[0, 0, 0, 2], [0, 0, 1, 5]] : tensor<2x4xi32>>
ntensor.network @delays("in" %x: tensor<3xi1>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[4, -3] : tensor<2xi8>>, source = #nopt.array<[0, 0] : tensor<2xi32>>, target = #nopt.array<[0, 1] : tensor<2xi32>>, delay = #nopt.array<[2, 5] : tensor<2xi64>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[4, 0], [1, -3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 2], [0, 0, 1, 5]] : tensor<2x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  ntensor.output %a : tensor<2xi16>
}

// A convolution shares its weights, and each of its source neurons has a type: the middle one is of both types, as it has both weights.
// CHECK-LABEL: ntensor.network @convolution
// CHECK: ntensor.conv1d "conv" {{.*}}axon_types
ntensor.network @convolution("in" %x: tensor<1x3xi1>) -> ("out": tensor<1x2xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.conv1d "conv" %x {weight = #nopt.array<[[[1, -1]]] : tensor<1x1x2xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, -1], [1, -1]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 2, 1, 0]] : tensor<4x4xi32>>>} : tensor<1x3xi1> -> tensor<1x2xi16>
  ntensor.output %a : tensor<1x2xi16>
}
