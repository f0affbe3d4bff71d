// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Weights that a pass quantized can be quantized again. The first layer of an image needs no padding: an input of 8 bits makes an input convolution of it.
// RUN: exits 1 nopt compile %root/examples/digits/rates.nir --target akida/six_nodes_v2 --dt 1ms --like norse --reset subtract --passes 'ntensor-encode-rates{window=16 bits=4},ntensor-quantize-inputs{kind=count bits=8},ntensor-quantize-weights{bits=8 per=neuron}' -o %t 2>&1 | filecheck %s --check-prefix=QUANTIZED
// RUN: exits 1 nopt compile %root/examples/digits/rates.nir --target akida/six_nodes_v2 --dt 1ms --like norse --reset subtract --passes 'ntensor-encode-rates{window=16 bits=4},ntensor-quantize-inputs{kind=count bits=4},ntensor-quantize-weights{bits=4 per=neuron}' -o %t 2>&1 | filecheck %s --check-prefix=IMAGE
// QUANTIZED:      error[AKI004]: the weights have more bits than the input of the layer
// QUANTIZED-NEXT:   at: akida2.conv2d "conv2"
// QUANTIZED-NEXT:   expected: at most 4 bits (akida/six_nodes_v2, features.weights_within_input: {{.*}})
// QUANTIZED-NEXT:   found: 8 bits
// QUANTIZED-NEXT:   help: nopt compile {{.*}}rates.nir --target akida/six_nodes_v2 --dt 1ms --like norse --reset subtract --passes 'ntensor-encode-rates{window=16 bits=4},ntensor-quantize-inputs{kind=count bits=8},ntensor-quantize-weights{bits=4 per=neuron}' -o {{.*}}geometry-errors.mlir.tmp
// IMAGE:      error[AKI003]: a processor pads every map
// IMAGE-NEXT:   at: akida2.conv2d "conv1"
// IMAGE-NEXT:   expected: padding same (akida/six_nodes_v2, features.cnp_same_padding: {{.*}})
// IMAGE-NEXT:   found: valid
// IMAGE-NEXT:   help: nopt compile {{.*}}rates.nir --target akida/six_nodes_v2 --dt 1ms --like norse --reset subtract --passes 'ntensor-encode-rates{window=16 bits=4},ntensor-quantize-inputs{kind=count bits=8},ntensor-quantize-weights{bits=4 per=neuron}' -o {{.*}}geometry-errors.mlir.tmp

// -----

// Kernels are square and odd, those of depthwise layers from 3. Strides, paddings and pools are those of the processors.
// CHECK:      error[AKI003]: the kernel has a size that the device does not compute
// CHECK-NEXT:   at: akida2.depthwise_conv2d "d2"
// CHECK-NEXT:   expected: square, odd, 3 to 7 (akida/six_nodes_v2, features.cnp_kernel: {{.*}})
// CHECK-NEXT:   found: 9 x 9
// CHECK-NEXT:   help: nopt check FILE --target auto
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{replace the layer by several with smaller kernels}}
  akida2.depthwise_conv2d "d2" of "n2" attributes {act_bits = 4 : i64, output_scales = #nopt.array<[200, 200] : tensor<2xi32>>, output_shift = #nopt.array<[-16, -16] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<9x9x2x1xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Kernels are square and odd, those of depthwise layers from 3. Strides, paddings and pools are those of the processors.
// CHECK:      error[AKI003]: the kernel has a size that the device does not compute
// CHECK-NEXT:   at: akida2.depthwise_conv2d "d2"
// CHECK-NEXT:   expected: square, odd, 3 to 7 (akida/six_nodes_v2, features.cnp_kernel: {{.*}})
// CHECK-NEXT:   found: 1 x 1
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{replace the layer by several with smaller kernels}}
  akida2.depthwise_conv2d "d2" of "n2" attributes {act_bits = 4 : i64, output_scales = #nopt.array<[200, 200] : tensor<2xi32>>, output_shift = #nopt.array<[-16, -16] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x1xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Kernels are square and odd, those of depthwise layers from 3. Strides, paddings and pools are those of the processors.
// CHECK:      error[AKI003]: a stride requires a smaller kernel
// CHECK-NEXT:   at: akida2.depthwise_conv2d "d2"
// CHECK-NEXT:   expected: a kernel of at most 3 x 3 (akida/six_nodes_v2, features.cnp_strided_kernel: {{.*}})
// CHECK-NEXT:   found: 5 x 5
// CHECK-NEXT:   help: nopt check FILE --target auto
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{use a kernel of 3 x 3}}
  akida2.depthwise_conv2d "d2" of "n2" attributes {act_bits = 4 : i64, output_scales = #nopt.array<[200, 200] : tensor<2xi32>>, output_shift = #nopt.array<[-16, -16] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<5x5x2x1xi8>>, kernel_stride = #nopt.array<[2, 2] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Kernels are square and odd, those of depthwise layers from 3. Strides, paddings and pools are those of the processors: `padding = "valid"`.
// CHECK:      error[AKI003]: a processor pads every map
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: padding same (akida/six_nodes_v2, features.cnp_same_padding: {{.*}})
// CHECK-NEXT:   found: valid
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pad the convolution so that the size of its map is kept}}
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "valid", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Kernels are square and odd, those of depthwise layers from 3. Strides, paddings and pools are those of the processors.
// CHECK:      error[AKI003]: the pool is larger than the device computes
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: at most 2 x 2 (akida/six_nodes_v2, features.cnp_pool: {{.*}})
// CHECK-NEXT:   found: 3 x 3
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pool by 2 x 2, or compile for a device with larger pools}}
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[3, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Kernels are square and odd, those of depthwise layers from 3. Strides, paddings and pools are those of the processors.
// CHECK:      error[AKI003]: a layer with max pooling is not followed by a convolution
// CHECK-NEXT:   at: akida2.depthwise_conv2d "d2"
// CHECK-NEXT:   expected: a convolution after it (akida/six_nodes_v2, features.pooled_last: {{.*}})
// CHECK-NEXT:   found: Dense1D after it
// CHECK-NEXT:   help: nopt check FILE --target auto
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pool by a stride, or before another convolution}}
  akida2.depthwise_conv2d "d2" of "n2" attributes {act_bits = 4 : i64, output_scales = #nopt.array<[200, 200] : tensor<2xi32>>, output_shift = #nopt.array<[-16, -16] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
  akida2.dense1d "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = -8) : tensor<32x2xi8>>} {
    akida2.np "FNP3" {ident = #nopt.array<[2, 2, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 48 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Kernels are square and odd, those of depthwise layers from 3. Strides, paddings and pools are those of the processors.
// CHECK:      error[AKI003]: the chip replaces negative potentials by 0 before it adds a map
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: weights and biases from 0 (akida/six_nodes_v2, features.summed_positive: {{.*}})
// CHECK-NEXT:   found: -14
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{use weights and biases that are not negative, or a dense layer that adds the map}}
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "average"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Weights have at most the bits of the input; a depthwise or dense layer with weights of 4 bits has an activation of 4 bits: `weights_bits = 8`.
// CHECK:      error[AKI004]: the weights have more bits than the input of the layer
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: at most 4 bits (akida/six_nodes_v2, features.weights_within_input: {{.*}})
// CHECK-NEXT:   found: 8 bits
// CHECK-NEXT:   help: nopt check FILE --target auto
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI004]}}
  // expected-note @below {{use weights of 4 bits}}
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Weights have at most the bits of the input; a depthwise or dense layer with weights of 4 bits has an activation of 4 bits.
// CHECK:      error[AKI004]: a dense or depthwise layer with narrow weights has a wide activation
// CHECK-NEXT:   at: akida2.depthwise_conv2d "d2"
// CHECK-NEXT:   expected: an activation of 4 bits (akida/six_nodes_v2, features.narrow_weights: {{.*}})
// CHECK-NEXT:   found: 8 bits
// CHECK-NEXT:   help: nopt check FILE --target auto
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI004]}}
  // expected-note @below {{give the activation 4 bits, or the weights more than 4}}
  akida2.depthwise_conv2d "d2" of "n2" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[200, 200] : tensor<2xi32>>, output_shift = #nopt.array<[-16, -16] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// d2 adds 9 products of at most 127 and 1: 1143, and a bias of 127 << 20 = 133169152; the sum is at most 2^27 - 1 = 134217727.
// This is accepted.
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
  akida2.depthwise_conv2d "d2" of "n2" attributes {act_bits = 4 : i64, output_scales = #nopt.array<[200, 200] : tensor<2xi32>>, output_shift = #nopt.array<[-16, -16] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[127, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[20, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// d2 adds 9 products of at most 127 and 1: 1143, and a bias of 127 << 20 = 133169152; the sum is at most 2^27 - 1 = 134217727.
// CHECK:      error[AKI010]: the accumulator of a layer overflows in the worst case
// CHECK-NEXT:   at: akida2.depthwise_conv2d "d2"
// CHECK-NEXT:   expected: -134217728..134217727: 28 bits (akida/six_nodes_v2, features.accumulator_bits: {{.*}})
// CHECK-NEXT:   found: 0 to 134218871
// CHECK-NEXT:   help: nopt check FILE --target auto
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[AKI010]}}
  // expected-note @below {{divide weights, bias and scale by one number}}
  akida2.depthwise_conv2d "d2" of "n2" attributes {act_bits = 4 : i64, output_scales = #nopt.array<[200, 200] : tensor<2xi32>>, output_shift = #nopt.array<[-16, -16] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[64, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[21, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Kernels of the block of the input convolution are odd, or 4 x 4. An image has at most 384 columns.
// CHECK:      error[AKI003]: the kernel has a size that the device does not compute
// CHECK-NEXT:   at: akida2.input_conv2d "c1"
// CHECK-NEXT:   expected: square, odd, 3 to 7, or 4 x 4 (akida/six_nodes_v2, features.hrc_kernel: {{.*}})
// CHECK-NEXT:   found: 6 x 6
akida2.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v2", input = "image", machine.device = "akida/six_nodes_v2"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{replace the layer by several with smaller kernels}}
  akida2.input_conv2d "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<6x6x3x2xi8>>, bias = #nopt.array<[1, -2] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 3] : tensor<2xi32>>, act_bits = 4 : i64, output_scales = #nopt.array<[1, 255] : tensor<2xi32>>, output_shift = #nopt.array<[0, -16] : tensor<2xi32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Kernels of the block of the input convolution are odd, or 4 x 4. An image has at most 384 columns.
// CHECK:      error[AKI003]: the stride is larger than the device computes
// CHECK-NEXT:   at: akida2.input_conv2d "c1"
// CHECK-NEXT:   expected: at most 4 (akida/six_nodes_v2, features.hrc_stride_4: {{.*}})
// CHECK-NEXT:   found: 5 x 5
akida2.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v2", input = "image", machine.device = "akida/six_nodes_v2"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{use a smaller stride, then a pool}}
  akida2.input_conv2d "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<4x4x3x2xi8>>, bias = #nopt.array<[1, -2] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 3] : tensor<2xi32>>, act_bits = 4 : i64, output_scales = #nopt.array<[1, 255] : tensor<2xi32>>, output_shift = #nopt.array<[0, -16] : tensor<2xi32>>, kernel_stride = #nopt.array<[5, 5] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Kernels of the block of the input convolution are odd, or 4 x 4. An image has at most 384 columns.
// CHECK:      error[AKI003]: the image is wider than a line of the block
// CHECK-NEXT:   at: akida2.input_conv2d "c1"
// CHECK-NEXT:   expected: a width of at most 384 (akida/six_nodes_v2, features.hrc_width: {{.*}})
// CHECK-NEXT:   found: 385
// CHECK-NEXT:   help: nopt check FILE --target auto
akida2.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v2", input = "image", machine.device = "akida/six_nodes_v2"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{scale the image down, or exchange height and width}}
  akida2.input_conv2d "c1" of "n1" attributes {input_shape = #nopt.array<[8, 385, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, bias = #nopt.array<[1, -2] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 3] : tensor<2xi32>>, act_bits = 4 : i64, output_scales = #nopt.array<[1, 255] : tensor<2xi32>>, output_shift = #nopt.array<[0, -16] : tensor<2xi32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Kernels of the block of the input convolution are odd, or 4 x 4. An image has at most 384 columns: `kernel_stride = [1, 2]`.
// CHECK:      error[CHI010]: kernel_stride differs along both axes
// CHECK-NEXT:   at: akida2.input_conv2d "c1"
// CHECK-NEXT:   expected: one number for both
// CHECK-NEXT:   found: [1, 2]
akida2.model @net {
  // expected-error @below {{[CHI010]}}
  akida2.input_conv2d "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, bias = #nopt.array<[1, -2] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 3] : tensor<2xi32>>, kernel_stride = #nopt.array<[1, 2] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The inputs of a dense layer have a limit, with the padding of the map before it.
// CHECK:      error[AKI003]: a dense layer has more inputs with their padding than a processor
// CHECK-NEXT:   at: akida2.dense1d "fc"
// CHECK-NEXT:   expected: at most 31 inputs with their padding (akida/six_nodes_v2, features.dense_inputs: {{.*}})
// CHECK-NEXT:   found: 32
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, machine.set = ["features.dense_inputs=31"], ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pool the map before the layer, or use a convolution with a stride}}
  akida2.dense1d "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = -8) : tensor<32x2xi8>>} {
    akida2.np "FNP3" {ident = #nopt.array<[2, 2, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 48 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The inputs of a dense layer have a limit, with the padding of the map before it.
// This is accepted.
akida2.model @net2 attributes {machine.device = "akida/six_nodes_v2", tick_ns = 1000000 : i64, machine.set = ["features.dense_inputs=32"], ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida2.dense1d "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = -8) : tensor<32x2xi8>>} {
    akida2.np "FNP3" {ident = #nopt.array<[2, 2, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 48 : i64, external_bytes = 0 : i64}
  }
}
