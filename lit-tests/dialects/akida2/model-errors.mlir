// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// The input has 4 or 8 bits; layers form one sequence: `input_bits = 2`.
// CHECK:      error[CHI010]: input_bits is out of range
// CHECK-NEXT:   at: akida2.input_data "x"
// CHECK-NEXT:   expected: 4 or 8
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: compile the network again
akida2.model @net2 {
  // expected-error @below {{[CHI010]}}
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 2 : i64}
}

// -----

// The input has 4 or 8 bits; layers form one sequence.
// CHECK:      error[CHI011]: two layers have the same name
// CHECK-NEXT:   at: akida2.model @net2
// CHECK-NEXT:   expected: each name once
// CHECK-NEXT:   found: c1
// CHECK-NEXT:   help: compile the network again
// expected-error @below {{[CHI011]}}
akida2.model @net2 attributes {tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
  akida2.depthwise_conv2d "c1" of "n2" attributes {act_bits = 4 : i64, output_scales = #nopt.array<[200, 200] : tensor<2xi32>>, output_shift = #nopt.array<[-16, -16] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The input has 4 or 8 bits; layers form one sequence.
// CHECK:      error[CHI011]: the input of a model is read by an input convolution or by akida2.input_data
// CHECK-NEXT:   at: akida2.model @net2
// CHECK-NEXT:   expected: one of them
// CHECK-NEXT:   found: neither
// CHECK-NEXT:   help: compile the network again
// expected-error @below {{[CHI011]}}
akida2.model @net2 attributes {tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}
