// Kernels, strides and pools at their limits. A stride of 2 has a kernel of 1 x 1 or 3 x 3.
// RUN: mutate 's/tensor<3x3x2x1xi8>/tensor<7x7x2x1xi8>/' '/CNP1.*1, 2, 2/s/weight_bytes = 25/weight_bytes = 175/' %S/inputs/akida2.mlir | nopt - -o /dev/null
// RUN: mutate '/"d2"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[2, 2]/' '/"fc" of/s/\[4, 4, 2\]/[2, 2, 2]/' 's/tensor<32x2xi8>/tensor<8x2xi8>/' '/FNP3/s/0, 0, 4, 4/0, 0, 2, 2/' '/FNP3/s/input_bytes = 16 : i64, weight_bytes = 48/input_bytes = 8 : i64, weight_bytes = 32/' %S/inputs/akida2.mlir | nopt - -o /dev/null
// RUN: mutate '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida2.mlir | nopt - -o /dev/null
// RUN: nopt %S/inputs/akida2.mlir | filecheck %s
// CHECK: akida2.depthwise_conv2d "d2" of "n2" attributes {{{.*}}kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>

// The block of the input convolution: kernels of 4 x 4 with strides up to 4, and 384 columns.
// RUN: mutate '/"c1"/s/tensor<3x3x3x2xi8>/tensor<4x4x3x2xi8>/' %S/inputs/akida2_image.mlir | nopt - -o /dev/null
// RUN: mutate '/"c1"/s/tensor<3x3x3x2xi8>/tensor<4x4x3x2xi8>/' '/"c1"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[4, 4]/' '/"fc" of/s/\[8, 9, 2\]/[2, 3, 2]/' 's/tensor<144x2xi8>/tensor<12x2xi8>/' '/FNP2/s/0, 0, 8, 9/0, 0, 2, 3/' '/FNP2/s/input_bytes = 72/input_bytes = 12/' '/FNP2/s/external_bytes = 160/external_bytes = 40/' %S/inputs/akida2_image.mlir | nopt - -o /dev/null
// RUN: mutate 's/\[8, 9, 3\]/[8, 384, 3]/' 's/\[8, 9, 2\]/[1, 1, 2]/' 's/0, 0, 8, 9/0, 0, 8, 384/' '/"fc" of/,$d' %S/inputs/akida2_image.mlir > %t.wide && echo 'akida2.output "out" of "n1" : tensor<2x8x384xi32> } }' >> %t.wide && nopt %t.wide -o /dev/null

// An activation of 8 bits is at most 127, so its output is a count of 7 bits.
// RUN: mutate 's/act_bits = 4/act_bits = 8/' 's/384xi32/384x!ntensor.count<7>/' %t.wide | nopt - -o /dev/null
