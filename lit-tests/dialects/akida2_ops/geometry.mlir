// Kernels, strides and pools at their limits. A stride of 2 has a kernel of 1 x 1 or 3 x 3.
// RUN: sed 's/tensor<3x3x2x1xi8>/tensor<7x7x2x1xi8>/; /CNP1.*1, 2, 2/s/weight_bytes = 25/weight_bytes = 175/' %S/../inputs/akida2.mlir | nopt - -o /dev/null
// RUN: sed '/"d2"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[2, 2]/; /"fc" of/s/\[4, 4, 2\]/[2, 2, 2]/; s/tensor<32x2xi8>/tensor<8x2xi8>/; /FNP3/s/0, 0, 4, 4/0, 0, 2, 2/; /FNP3/s/input_bytes = 16 : i64, weight_bytes = 48/input_bytes = 4 : i64, weight_bytes = 24/' %S/../inputs/akida2.mlir | nopt - -o /dev/null
// RUN: sed '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/../inputs/akida2.mlir | nopt - -o /dev/null
// RUN: nopt %S/../inputs/akida2.mlir | filecheck %s
// CHECK: akida2.depthwise_conv2d "d2" of "n2" attributes {{{.*}}kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>
