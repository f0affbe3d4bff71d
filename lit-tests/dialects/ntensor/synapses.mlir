// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// A linear map takes spikes or values and produces values; leading axes of its weight are axes of the population.
// CHECK-LABEL: ntensor.network @linear
// CHECK-NEXT{LITERAL}: %a = ntensor.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0, 3.0], [0.5, 0.25, 0.0]] : tensor<2x3xf32>>, bias = #nopt.array<[0.5, -1.0] : tensor<2xf32>>} : tensor<3xi1> -> tensor<2xf32>
// CHECK-NEXT{LITERAL}: %b = ntensor.linear "two by one" %y {weight = #nopt.array<[[[1.0, 2.0]], [[3.0, 4.0]]] : tensor<2x1x2xf64>>} : tensor<2x2xf64> -> tensor<2x1xf64>
// GENERIC-LABEL: sym_name = "linear"
// GENERIC{LITERAL}: %a = "ntensor.linear"(%x) <{node = "fc 1", weight = #nopt.array<[[1.0, 2.0, 3.0], [0.5, 0.25, 0.0]] : tensor<2x3xf32>>, bias = #nopt.array<[0.5, -1.0] : tensor<2xf32>>}> : (tensor<3xi1>) -> tensor<2xf32>
ntensor.network @linear("x" %x: tensor<3xi1>, "y" %y: tensor<2x2xf64>) -> ("o1": tensor<2xf32>, "o2": tensor<2x1xf64>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc 1" %x {weight = #nopt.array<[[1.0, 2.0, 3.0], [0.5, 0.25, 0.0]] : tensor<2x3xf32>>, bias = #nopt.array<[0.5, -1.0] : tensor<2xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %b = ntensor.linear "two by one" %y {weight = #nopt.array<[[[1.0, 2.0]], [[3.0, 4.0]]] : tensor<2x1x2xf64>>} : tensor<2x2xf64> -> tensor<2x1xf64>
  ntensor.output %a, %b : tensor<2xf32>, tensor<2x1xf64>
}

// Convolutions over one and two axes: floor((7 + 2 + 0 - 2 (3 - 1) - 1) / 3) + 1 = 2 positions; over 5 x 6 with a kernel of 2 x 2
// they are floor((5 + 1 + 1 - 1 (2 - 1) - 1) / 2) + 1 = 3 and floor((6 + 0 + 1 - 2 (2 - 1) - 1) / 1) + 1 = 5.
// CHECK-LABEL: ntensor.network @convolution
// CHECK-NEXT{LITERAL}: %a = ntensor.conv1d "c 1" %x {weight = #nopt.array<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]] : tensor<1x2x3xf32>>, stride = #nopt.array<[3] : tensor<1xi64>>, padding = #nopt.array<[[2, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[2] : tensor<1xi64>>, groups = 1 : i64} : tensor<2x7xi1> -> tensor<1x2xf32>
// CHECK-NEXT:          %b = ntensor.conv2d "c 2" %y {weight = {{.*}}, bias = #nopt.array<[1.0, -1.0] : tensor<2xf32>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = {{.*}}, dilation = #nopt.array<[1, 2] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x3x5xf32>
// GENERIC-LABEL: sym_name = "convolution"
// GENERIC: "ntensor.conv1d"(%x) <{node = "c 1", weight = {{.*}}, stride = #nopt.array<[3] : tensor<1xi64>>, padding = {{.*}}, dilation = #nopt.array<[2] : tensor<1xi64>>, groups = 1 : i64}> : (tensor<2x7xi1>) -> tensor<1x2xf32>
// GENERIC: "ntensor.conv2d"(%y) <{node = "c 2", {{.*}}, groups = 2 : i64}> : (tensor<2x5x6xi1>) -> tensor<2x3x5xf32>
ntensor.network @convolution("x" %x: tensor<2x7xi1>, "y" %y: tensor<2x5x6xi1>) -> ("o1": tensor<1x2xf32>, "o2": tensor<2x3x5xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.conv1d "c 1" %x {weight = #nopt.array<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]] : tensor<1x2x3xf32>>, stride = #nopt.array<[3] : tensor<1xi64>>, padding = #nopt.array<[[2, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[2] : tensor<1xi64>>, groups = 1 : i64} : tensor<2x7xi1> -> tensor<1x2xf32>
  %b = ntensor.conv2d "c 2" %y {weight = #nopt.array<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]] : tensor<2x1x2x2xf32>>, bias = #nopt.array<[1.0, -1.0] : tensor<2xf32>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<[[1, 1], [0, 1]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 2] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x5x6xi1> -> tensor<2x3x5xf32>
  ntensor.output %a, %b : tensor<1x2xf32>, tensor<2x3x5xf32>
}

// The sum of spikes over a window is a value, here an integer, or a mean: (4 - 2) / 2 + 1 = 2 and (5 + 1 - 2) / 3 + 1 = 2 positions.
// CHECK-LABEL: ntensor.network @pools
// CHECK-NEXT{LITERAL}: %a = ntensor.sum_pool2d "sum" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 3] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [1, 0]] : tensor<2x2xi64>>} : tensor<1x4x5xi1> -> tensor<1x2x2xi32>
// CHECK-NEXT:          %b = ntensor.avg_pool2d "mean" %x {{{.*}}} : tensor<1x4x5xi1> -> tensor<1x2x2xf64>
// GENERIC-LABEL: sym_name = "pools"
// GENERIC: "ntensor.sum_pool2d"(%x) <{node = "sum", kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = {{.*}}, padding = {{.*}}}> : (tensor<1x4x5xi1>) -> tensor<1x2x2xi32>
// GENERIC: "ntensor.avg_pool2d"(%x) <{node = "mean", {{.*}}}> : (tensor<1x4x5xi1>) -> tensor<1x2x2xf64>
ntensor.network @pools("x" %x: tensor<1x4x5xi1>) -> ("o1": tensor<1x2x2xi32>, "o2": tensor<1x2x2xf64>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.sum_pool2d "sum" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 3] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [1, 0]] : tensor<2x2xi64>>} : tensor<1x4x5xi1> -> tensor<1x2x2xi32>
  %b = ntensor.avg_pool2d "mean" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 3] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [1, 0]] : tensor<2x2xi64>>} : tensor<1x4x5xi1> -> tensor<1x2x2xf64>
  ntensor.output %a, %b : tensor<1x2x2xi32>, tensor<1x2x2xf64>
}

// A scale for all elements, or one for each.
// CHECK-LABEL: ntensor.network @scales
// CHECK-NEXT:  %a = ntensor.scale "all" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:  %b = ntensor.scale "each" %a {scale = #nopt.array<[0.5, -1.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
// GENERIC-LABEL: sym_name = "scales"
// GENERIC: %a = "ntensor.scale"(%x) <{node = "all", scale = #nopt.array<2.0 : tensor<f32>>}> : (tensor<2xf32>) -> tensor<2xf32>
ntensor.network @scales("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.scale "all" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %b = ntensor.scale "each" %a {scale = #nopt.array<[0.5, -1.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %b : tensor<2xf32>
}

// Synapses sorted by source, then target, two of them between the same neurons; one delay for each, one for all, or none.
// CHECK-LABEL: ntensor.network @sparse
// CHECK-NEXT:  %a = ntensor.sparse_linear "each" %x {weight = #nopt.array<[5, 7, -3] : tensor<3xi8>>, source = #nopt.array<[0, 0, 1] : tensor<3xi32>>, target = #nopt.array<[1, 1, 0] : tensor<3xi32>>, delay = #nopt.array<[0, 2, 1] : tensor<3xi8>>, bias = #nopt.array<[1, 0] : tensor<2xi8>>} : tensor<2xi1> -> tensor<2xi8>
// CHECK-NEXT:  %b = ntensor.sparse_linear "all" %x {{{.*}}, delay = #nopt.array<3 : tensor<i8>>} : tensor<2xi1> -> tensor<2xf32>
// CHECK-NEXT:  %c = ntensor.sparse_linear "none" %x {weight = #nopt.array<[0.5] : tensor<1xf32>>, source = #nopt.array<[1] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>} : tensor<2xi1> -> tensor<2xf32>
// GENERIC-LABEL: sym_name = "sparse"
// GENERIC: %a = "ntensor.sparse_linear"(%x) <{node = "each", weight = {{.*}}, source = {{.*}}, target = {{.*}}, delay = {{.*}}, bias = {{.*}}}> : (tensor<2xi1>) -> tensor<2xi8>
ntensor.network @sparse("x" %x: tensor<2xi1>) -> ("o1": tensor<2xi8>, "o2": tensor<2xf32>, "o3": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.sparse_linear "each" %x {weight = #nopt.array<[5, 7, -3] : tensor<3xi8>>, source = #nopt.array<[0, 0, 1] : tensor<3xi32>>, target = #nopt.array<[1, 1, 0] : tensor<3xi32>>, delay = #nopt.array<[0, 2, 1] : tensor<3xi8>>, bias = #nopt.array<[1, 0] : tensor<2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %b = ntensor.sparse_linear "all" %x {weight = #nopt.array<[0.5] : tensor<1xf32>>, source = #nopt.array<[1] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, delay = #nopt.array<3 : tensor<i8>>} : tensor<2xi1> -> tensor<2xf32>
  %c = ntensor.sparse_linear "none" %x {weight = #nopt.array<[0.5] : tensor<1xf32>>, source = #nopt.array<[1] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>} : tensor<2xi1> -> tensor<2xf32>
  ntensor.output %a, %b, %c : tensor<2xi8>, tensor<2xf32>, tensor<2xf32>
}

// Optional properties: a power of two for all neurons or for each, the scale of integer weights, and the learning rule.
// CHECK-LABEL: ntensor.network @beside
// CHECK-NEXT:  %a = ntensor.linear "fc" %x {weight = {{.*}}, exponent = #nopt.array<[-3, 2] : tensor<2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.125 : tensor<f64>>>, plasticity = #nir.stdp<{{.*}}>} : tensor<2xi1> -> tensor<2xi16>
// CHECK-NEXT:  %b = ntensor.conv1d "conv" %y {{{.*}}, exponent = #nopt.array<1 : tensor<i8>>, quantized = #ntensor.quantized<1, {{.*}}>} : tensor<1x2xi1> -> tensor<1x2xi8>
// CHECK-NEXT:  %c = ntensor.scale "gain" %x {scale = #nopt.array<-7 : tensor<i8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<2xi8>
// GENERIC-LABEL: sym_name = "beside"
// GENERIC: <{node = "fc", weight = {{.*}}, exponent = {{.*}}, quantized = #ntensor.quantized<4, #nopt.array<0.125 : tensor<f64>>>, plasticity = {{.*}}}>
ntensor.network @beside("x" %x: tensor<2xi1>, "y" %y: tensor<1x2xi1>) -> ("o1": tensor<2xi16>, "o2": tensor<1x2xi8>, "o3": tensor<2xi8>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, -8], [7, 0]] : tensor<2x2xi8>>, exponent = #nopt.array<[-3, 2] : tensor<2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.125 : tensor<f64>>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<2xi16>
  %b = ntensor.conv1d "conv" %y {weight = #nopt.array<[[[-1]]] : tensor<1x1x1xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64, exponent = #nopt.array<1 : tensor<i8>>, quantized = #ntensor.quantized<1, #nopt.array<[[[2.0]]] : tensor<1x1x1xf64>>>} : tensor<1x2xi1> -> tensor<1x2xi8>
  %c = ntensor.scale "gain" %x {scale = #nopt.array<-7 : tensor<i8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<2xi8>
  ntensor.output %a, %b, %c : tensor<2xi16>, tensor<1x2xi8>, tensor<2xi8>
}

// A fixed number of synapses for each neuron, from rules that take no memory, or listed explicitly.
// CHECK-LABEL: ntensor.network @fan_in
// CHECK-NEXT:  %a = ntensor.fan_in_linear "rule" %x {weight = #nopt.array<constant(value = 0.5) : tensor<1000x50xf32>>, source = #nopt.array<integers(low = 0, high = 6, seed = 1) : tensor<1000x50xi32>>} : tensor<2x3xi1> -> tensor<1000xf32>
// CHECK-NEXT:  %b = ntensor.fan_in_linear "list" %x {weight = {{.*}}, source = {{.*}}} : tensor<2x3xi1> -> tensor<2xf64>
// GENERIC-LABEL: sym_name = "fan_in"
// GENERIC: %a = "ntensor.fan_in_linear"(%x) <{node = "rule", weight = {{.*}}, source = {{.*}}}> : (tensor<2x3xi1>) -> tensor<1000xf32>
ntensor.network @fan_in("x" %x: tensor<2x3xi1>) -> ("o1": tensor<1000xf32>, "o2": tensor<2xf64>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.fan_in_linear "rule" %x {weight = #nopt.array<constant(value = 0.5) : tensor<1000x50xf32>>, source = #nopt.array<integers(low = 0, high = 6, seed = 1) : tensor<1000x50xi32>>} : tensor<2x3xi1> -> tensor<1000xf32>
  %b = ntensor.fan_in_linear "list" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf64>>, source = #nopt.array<[[5, 0], [1, 1]] : tensor<2x2xi64>>} : tensor<2x3xi1> -> tensor<2xf64>
  ntensor.output %a, %b : tensor<1000xf32>, tensor<2xf64>
}

// A max pool keeps the element type: 3 positions of 2 on an axis of 5, where one element of padding follows the map.
// CHECK-LABEL: ntensor.network @greatest
// CHECK-NEXT:  %a = ntensor.max_pool2d "p" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = {{.*}}} : tensor<1x4x5x!ntensor.count<4>> -> tensor<1x2x3x!ntensor.count<4>>
// GENERIC-LABEL: sym_name = "greatest"
// GENERIC: "ntensor.max_pool2d"(%x) <{node = "p", kernel = {{.*}}, stride = {{.*}}, padding = {{.*}}}>
ntensor.network @greatest("x" %x: tensor<1x4x5x!ntensor.count<4>>) -> ("o": tensor<1x2x3x!ntensor.count<4>>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.max_pool2d "p" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 1]] : tensor<2x2xi64>>} : tensor<1x4x5x!ntensor.count<4>> -> tensor<1x2x3x!ntensor.count<4>>
  ntensor.output %a : tensor<1x2x3x!ntensor.count<4>>
}

// A transposed convolution has the weights of the convolution: (2 - 1) 2 + 1 (2 - 1) + 1 - 0 + 1 = 5 and (3 - 1) 1 + 2 - 1 - 0 = 3 positions.
// CHECK-LABEL: ntensor.network @transposed
// CHECK-NEXT:  %a = ntensor.conv_transpose2d "t" %x {weight = #nopt.array<{{.*}} : tensor<2x1x2x2xi8>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<{{\[\[}}0, -1], [1, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64, exponent = #nopt.array<[0, 2] : tensor<2xi64>>} : tensor<1x2x3xi1> -> tensor<2x5x3xi16>
// CHECK-NEXT:  %b = ntensor.upsample2d "u" %a {factor = #nopt.array<[1, 2] : tensor<2xi64>>} : tensor<2x5x3xi16> -> tensor<2x5x6xi16>
// GENERIC-LABEL: sym_name = "transposed"
// GENERIC: "ntensor.conv_transpose2d"(%x) <{node = "t", weight = {{.*}}, stride = {{.*}}, padding = {{.*}}, dilation = {{.*}}, groups = 1 : i64, exponent = {{.*}}}>
// GENERIC: "ntensor.upsample2d"(%a) <{node = "u", factor = {{.*}}}>
ntensor.network @transposed("x" %x: tensor<1x2x3xi1>) -> ("o": tensor<2x5x6xi16>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.conv_transpose2d "t" %x {weight = #nopt.array<[[[[1, 2], [3, 4]]], [[[5, 6], [7, -8]]]] : tensor<2x1x2x2xi8>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, -1], [1, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64, exponent = #nopt.array<[0, 2] : tensor<2xi64>>} : tensor<1x2x3xi1> -> tensor<2x5x3xi16>
  %b = ntensor.upsample2d "u" %a {factor = #nopt.array<[1, 2] : tensor<2xi64>>} : tensor<2x5x3xi16> -> tensor<2x5x6xi16>
  ntensor.output %b : tensor<2x5x6xi16>
}
