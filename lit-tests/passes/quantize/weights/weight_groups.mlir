// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{per=row}' | filecheck %s --check-prefix=ROW
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{per=column}' | filecheck %s --check-prefix=COLUMN
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{per=neuron}' | filecheck %s --check-prefix=NEURON
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{per=population}' | filecheck %s --check-prefix=POPULATION

// Scales are max / 127: of each row, of each column, of each row of both ops, of both ops.
// ROW-LABEL: ntensor.network @meets
// ROW: ntensor.linear "a"
// ROW-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[1.0], [0.5]] : tensor<2x1xf64>>>
// ROW: ntensor.sparse_linear "b"
// ROW-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[2.0, 4.0, 2.0] : tensor<3xf64>>>
// COLUMN-LABEL: ntensor.network @meets
// COLUMN: ntensor.linear "a"
// COLUMN-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[0.5, 1.0]] : tensor<1x2xf64>>>
// COLUMN: ntensor.sparse_linear "b"
// COLUMN-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[4.0, 4.0, 2.0] : tensor<3xf64>>>
// NEURON-LABEL: ntensor.network @meets
// NEURON: ntensor.linear "a"
// NEURON-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[2.0], [4.0]] : tensor<2x1xf64>>>
// NEURON: ntensor.sparse_linear "b"
// NEURON-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[2.0, 4.0, 2.0] : tensor<3xf64>>>
// POPULATION-LABEL: ntensor.network @meets
// POPULATION: ntensor.linear "a"
// POPULATION-SAME: quantized = #ntensor.quantized<8, #nopt.array<4.0 : tensor<f64>>>
// POPULATION: ntensor.sparse_linear "b"
// POPULATION-SAME: quantized = #ntensor.quantized<8, #nopt.array<4.0 : tensor<f64>>>
ntensor.network @meets("input" %x: tensor<2xi1>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[10.3, 127.0], [63.5, 0.2]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %b = ntensor.sparse_linear "b" %x {weight = #nopt.array<[10.7, -508.0, 254.0] : tensor<3xf32>>, source = #nopt.array<[0, 0, 1] : tensor<3xi64>>, target = #nopt.array<[0, 1, 0] : tensor<3xi64>>} : tensor<2xi1> -> tensor<2xf32>
  %y = ntensor.sum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// A convolution of two channels of two neurons each, and a linear map to the four neurons: channels are the common groups of neurons.
// ROW-LABEL: ntensor.network @channels
// ROW: ntensor.conv1d "a"
// ROW-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[[1.0]], [[2.0]]] : tensor<2x1x1xf64>>>
// ROW: ntensor.linear "b"
// ROW-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[4.0], [0.5], [1.0], [0.5]] : tensor<4x1xf64>>>
// COLUMN-LABEL: ntensor.network @channels
// COLUMN: ntensor.conv1d "a"
// COLUMN-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[[1.0]], [[2.0]]] : tensor<2x1x1xf64>>>
// NEURON-LABEL: ntensor.network @channels
// NEURON: ntensor.conv1d "a"
// NEURON-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[[4.0]], [[2.0]]] : tensor<2x1x1xf64>>>
// NEURON: ntensor.linear "b"
// NEURON-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[4.0], [4.0], [2.0], [2.0]] : tensor<4x1xf64>>>
// POPULATION-LABEL: ntensor.network @channels
ntensor.network @channels("input" %x: tensor<2x2xf32>, "other" %z: tensor<1xi1>) -> ("output": tensor<4xf32>) attributes {tick_ns = 1000} {
  %c = ntensor.conv1d "a" %x {weight = #nopt.array<[[[127.0, 1.2]], [[254.0, 0.3]]] : tensor<2x1x2xf32>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 1]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 2} : tensor<2x2xf32> -> tensor<2x2xf32>
  %f = ntensor.reshape "flat" %c : tensor<2x2xf32> -> tensor<4xf32>
  %b = ntensor.linear "b" %z {weight = #nopt.array<[[508.0], [63.5], [127.0], [63.5]] : tensor<4x1xf32>>} : tensor<1xi1> -> tensor<4xf32>
  %y = ntensor.sum %f, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  ntensor.output %y : tensor<4xf32>
}

// -----

// A pool of sums keeps channels apart: the convolution before it and the linear map after it share scales, channel by neuron. A pool of means
// changes the unit, so the op before it has its own scales. 254 / 127 = 2 and 508 / 127 = 4.
// ROW-LABEL: ntensor.network @pooled
// COLUMN-LABEL: ntensor.network @pooled
// POPULATION-LABEL: ntensor.network @pooled
// NEURON-LABEL: ntensor.network @pooled
// NEURON: ntensor.conv2d "a"
// NEURON-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[[[2.0]]], [[[4.0]]]] : tensor<2x1x1x1xf64>>>
// NEURON: ntensor.linear "b"
// NEURON-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[2.0], [4.0]] : tensor<2x1xf64>>>
// NEURON: ntensor.conv2d "mean"
// NEURON-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[[[1.0]]], [[[8.0]]]] : tensor<2x1x1x1xf64>>>
ntensor.network @pooled("input" %x: tensor<1x2x2xi1>, "other" %z: tensor<1xi1>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.conv2d "a" %x {weight = #nopt.array<[[[[127.0]]], [[[508.0]]]] : tensor<2x1x1x1xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1} : tensor<1x2x2xi1> -> tensor<2x2x2xf32>
  %p = ntensor.sum_pool2d "pool" %a {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<2x2x2xf32> -> tensor<2x1x1xf32>
  %f = ntensor.reshape "flat" %p : tensor<2x1x1xf32> -> tensor<2xf32>
  %b = ntensor.linear "b" %z {weight = #nopt.array<[[254.0], [63.5]] : tensor<2x1xf32>>} : tensor<1xi1> -> tensor<2xf32>
  %m = ntensor.conv2d "mean" %x {weight = #nopt.array<[[[[127.0]]], [[[1016.0]]]] : tensor<2x1x1x1xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1} : tensor<1x2x2xi1> -> tensor<2x2x2xf32>
  %q = ntensor.avg_pool2d "means" %m {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<2x2x2xf32> -> tensor<2x1x1xf32>
  %g = ntensor.reshape "flat too" %q : tensor<2x1x1xf32> -> tensor<2xf32>
  %y = ntensor.sum %f, %b, %g : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}
