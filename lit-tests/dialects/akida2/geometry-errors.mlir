// Kernels are square and odd, those of depthwise layers from 3. Strides, paddings and pools are those of the processors.
// RUN: mutate 's/tensor<3x3x2x1xi8>/tensor<9x9x2x1xi8>/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NINE
// RUN: mutate 's/tensor<3x3x2x1xi8>/tensor<1x1x2x1xi8>/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POINT
// RUN: mutate 's/tensor<3x3x2x1xi8>/tensor<5x5x2x1xi8>/' '/"d2"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[2, 2]/' '/"fc" of/s/\[4, 4, 2\]/[2, 2, 2]/' 's/tensor<32x2xi8>/tensor<8x2xi8>/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STRIDED
// RUN: mutate '/"c1"/s/"same"/"valid"/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=VALID
// RUN: mutate '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[3, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: mutate '/"d2"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=DENSE
// RUN: mutate '/"c1"/s/pool_type = "none"/pool_type = "average"/' '/"d2"/s/\[4, 4, 2\]/[1, 1, 2]/' '/"fc" of/s/\[4, 4, 2\]/[1, 1, 2]/' 's/tensor<32x2xi8>/tensor<2x2xi8>/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NEGATIVE
// NINE:      error[AKI003]: the kernel has a size that the device does not compute
// NINE-NEXT:   at: akida2.depthwise_conv2d "d2"
// NINE-NEXT:   expected: square, odd, 3 to 7 (akida/six_nodes_v2, features.cnp_kernel: {{.*}})
// NINE-NEXT:   found: 9 x 9
// NINE-NEXT:   help: nopt check FILE --target auto
// NINE-NEXT:   note: replace the layer by several with smaller kernels
// POINT:      error[AKI003]: the kernel has a size that the device does not compute
// POINT-NEXT:   at: akida2.depthwise_conv2d "d2"
// POINT-NEXT:   expected: square, odd, 3 to 7 (akida/six_nodes_v2, features.cnp_kernel: {{.*}})
// POINT-NEXT:   found: 1 x 1
// STRIDED:      error[AKI003]: a stride requires a smaller kernel
// STRIDED-NEXT:   at: akida2.depthwise_conv2d "d2"
// STRIDED-NEXT:   expected: a kernel of at most 3 x 3 (akida/six_nodes_v2, features.cnp_strided_kernel: {{.*}})
// STRIDED-NEXT:   found: 5 x 5
// STRIDED-NEXT:   help: nopt check FILE --target auto
// STRIDED-NEXT:   note: use a kernel of 3 x 3
// VALID:      error[AKI003]: a processor pads every map
// VALID-NEXT:   at: akida2.conv2d "c1"
// VALID-NEXT:   expected: padding same (akida/six_nodes_v2, features.cnp_same_padding: {{.*}})
// VALID-NEXT:   found: valid
// LARGE:      error[AKI003]: the pool is larger than the device computes
// LARGE-NEXT:   at: akida2.conv2d "c1"
// LARGE-NEXT:   expected: at most 2 x 2 (akida/six_nodes_v2, features.cnp_pool: {{.*}})
// LARGE-NEXT:   found: 3 x 3
// DENSE:      error[AKI003]: a layer with max pooling is not followed by a convolution
// DENSE-NEXT:   at: akida2.depthwise_conv2d "d2"
// DENSE-NEXT:   expected: a convolution after it (akida/six_nodes_v2, features.pooled_last: {{.*}})
// DENSE-NEXT:   found: Dense1D after it
// DENSE-NEXT:   help: nopt check FILE --target auto
// DENSE-NEXT:   note: pool by a stride, or before another convolution
// NEGATIVE:      error[AKI003]: the chip replaces negative potentials by 0 before it adds a map
// NEGATIVE-NEXT:   at: akida2.conv2d "c1"
// NEGATIVE-NEXT:   expected: weights and biases from 0 (akida/six_nodes_v2, features.summed_positive: {{.*}})
// NEGATIVE-NEXT:   found: -14

// Weights have at most the bits of the input; a depthwise or dense layer with weights of 4 bits has an activation of 4 bits.
// RUN: mutate '/"c1"/s/weights_bits = 4/weights_bits = 8/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WIDE
// RUN: mutate '/"d2"/s/weights_bits = 8/weights_bits = 4/' '/"d2"/s/act_bits = 4/act_bits = 8/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NARROW
// WIDE:      error[AKI004]: the weights have more bits than the input of the layer
// WIDE-NEXT:   at: akida2.conv2d "c1"
// WIDE-NEXT:   expected: at most 4 bits (akida/six_nodes_v2, features.weights_within_input: {{.*}})
// WIDE-NEXT:   found: 8 bits
// WIDE-NEXT:   help: nopt check FILE --target auto
// WIDE-NEXT:   note: use weights of 4 bits
// NARROW:      error[AKI004]: a dense or depthwise layer with narrow weights has a wide activation
// NARROW-NEXT:   at: akida2.depthwise_conv2d "d2"
// NARROW-NEXT:   expected: an activation of 4 bits (akida/six_nodes_v2, features.narrow_weights: {{.*}})
// NARROW-NEXT:   found: 8 bits
// NARROW-NEXT:   help: nopt check FILE --target auto
// NARROW-NEXT:   note: give the activation 4 bits, or the weights more than 4

// d2 adds 9 products of at most 127 and 1: 1143, and a bias of 127 << 20 = 133169152; the sum is at most 2^27 - 1 = 134217727.
// RUN: mutate '/"d2"/s/bias = #nopt.array<\[0, 0\]/bias = #nopt.array<[127, 0]/' '/"d2"/s/bias_shift = #nopt.array<\[0, 0\]/bias_shift = #nopt.array<[20, 0]/' %S/inputs/akida2.mlir | nopt - -o /dev/null
// RUN: mutate '/"d2"/s/bias = #nopt.array<\[0, 0\]/bias = #nopt.array<[64, 0]/' '/"d2"/s/bias_shift = #nopt.array<\[0, 0\]/bias_shift = #nopt.array<[21, 0]/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=ACCUMULATOR
// ACCUMULATOR:      error[AKI010]: the accumulator of a layer overflows in the worst case
// ACCUMULATOR-NEXT:   at: akida2.depthwise_conv2d "d2"
// ACCUMULATOR-NEXT:   expected: -134217728..134217727: 28 bits (akida/six_nodes_v2, features.accumulator_bits: {{.*}})
// ACCUMULATOR-NEXT:   found: 0 to 134218871
// ACCUMULATOR-NEXT:   help: nopt check FILE --target auto
// ACCUMULATOR-NEXT:   note: divide weights, bias and scale by one number

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

// Kernels of the block of the input convolution are odd, or 4 x 4. An image has at most 384 columns.
// RUN: mutate '/"c1"/s/tensor<3x3x3x2xi8>/tensor<6x6x3x2xi8>/' %S/inputs/akida2_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=EVEN
// RUN: mutate '/"c1"/s/tensor<3x3x3x2xi8>/tensor<4x4x3x2xi8>/' '/"c1"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[5, 5]/' '/"fc" of/s/\[8, 9, 2\]/[2, 2, 2]/' 's/tensor<144x2xi8>/tensor<8x2xi8>/' %S/inputs/akida2_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STEP
// RUN: mutate 's/\[8, 9, 3\]/[8, 385, 3]/' 's/\[8, 9, 2\]/[8, 385, 2]/' 's/tensor<144x2xi8>/tensor<6160x2xi8>/' %S/inputs/akida2_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WIDTH
// RUN: mutate '/"c1"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[1, 2]/' %S/inputs/akida2_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=AXES
// EVEN:      error[AKI003]: the kernel has a size that the device does not compute
// EVEN-NEXT:   at: akida2.input_conv2d "c1"
// EVEN-NEXT:   expected: square, odd, 3 to 7, or 4 x 4 (akida/six_nodes_v2, features.hrc_kernel: {{.*}})
// EVEN-NEXT:   found: 6 x 6
// STEP:      error[AKI003]: the stride is larger than the device computes
// STEP-NEXT:   at: akida2.input_conv2d "c1"
// STEP-NEXT:   expected: at most 4 (akida/six_nodes_v2, features.hrc_stride_4: {{.*}})
// STEP-NEXT:   found: 5 x 5
// WIDTH:      error[AKI003]: the image is wider than a line of the block
// WIDTH-NEXT:   at: akida2.input_conv2d "c1"
// WIDTH-NEXT:   expected: a width of at most 384 (akida/six_nodes_v2, features.hrc_width: {{.*}})
// WIDTH-NEXT:   found: 385
// WIDTH-NEXT:   help: nopt check FILE --target auto
// WIDTH-NEXT:   note: scale the image down, or exchange height and width
// AXES:      error[CHI010]: kernel_stride differs along both axes
// AXES-NEXT:   at: akida2.input_conv2d "c1"
// AXES-NEXT:   expected: one number for both
// AXES-NEXT:   found: [1, 2]

// The inputs of a dense layer have a limit, with the padding of the map before it.
// RUN: mutate 's/ip_version/machine.set = ["features.dense_inputs=31"], ip_version/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=PADDED
// RUN: mutate 's/ip_version/machine.set = ["features.dense_inputs=32"], ip_version/' %S/inputs/akida2.mlir | nopt - -o /dev/null
// PADDED:      error[AKI003]: a dense layer has more inputs with their padding than a processor
// PADDED-NEXT:   at: akida2.dense1d "fc"
// PADDED-NEXT:   expected: at most 31 inputs with their padding (akida/six_nodes_v2, features.dense_inputs: {{.*}})
// PADDED-NEXT:   found: 32
