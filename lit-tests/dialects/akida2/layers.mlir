// Biases with their shifts, scales, and shifts of outputs to the right, which are negative.
// RUN: nopt %S/inputs/akida2.mlir | filecheck %s
// RUN: nopt %S/inputs/akida2.mlir --print-op-generic | nopt - | filecheck %s
// CHECK: akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, {{.*}}bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>
// CHECK: akida2.depthwise_conv2d "d2" of "n2" attributes {{{.*}} : tensor<3x3x2x1xi8>>

// An input convolution has weights of 8 bits and reads an image; potentials have no scale.
// RUN: nopt %S/inputs/akida2_image.mlir | filecheck %s --check-prefix=IMAGE
// IMAGE: akida2.input_conv2d "c1" of "n1"
// IMAGE: akida2.dense1d "fc" of "fc" attributes {input_shape
