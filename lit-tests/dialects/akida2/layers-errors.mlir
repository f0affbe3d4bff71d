// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Arrays have the shapes and ranges of the vendor: `weights_bits = 2`.
// CHECK:      error[CHI010]: weights_bits is out of range
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: 4 or 8
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: compile the network again
akida2.model @net2 {
  // expected-error @below {{[CHI010]}}
  akida2.conv2d "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Arrays have the shapes and ranges of the vendor: `weights = [[[[8, 6], [-7, 5]]]]`.
// CHECK:      error[CHI010]: weights exceed weights_bits = 4
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: i8 from -8 to 7
// CHECK-NEXT:   found: -7 to 8
// CHECK-NEXT:   help: compile the network again
akida2.model @net2 {
  // expected-error @below {{[CHI010]}}
  akida2.conv2d "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[8, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Arrays have the shapes and ranges of the vendor: `act_bits = 2`.
// CHECK:      error[CHI010]: act_bits is out of range
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: 4 or 8
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: compile the network again
akida2.model @net2 {
  // expected-error @below {{[CHI010]}}
  akida2.conv2d "c1" of "n1" attributes {act_bits = 2 : i64, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Arrays have the shapes and ranges of the vendor: `bias = [-129, 0]`.
// CHECK:      error[CHI010]: bias is out of range
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: -128 to 127
// CHECK-NEXT:   found: -129 to 0
// CHECK-NEXT:   help: compile the network again
akida2.model @net2 {
  // expected-error @below {{[CHI010]}}
  akida2.conv2d "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-129, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Arrays have the shapes and ranges of the vendor: `bias = [-128, 127]` is accepted.
akida2.model @net2 attributes {tick_ns = 1000000 : i64, ip_version = "v2"} {
  akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-128, 127] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
  akida2.depthwise_conv2d "d2" of "n2" attributes {act_bits = 4 : i64, output_scales = #nopt.array<[200, 200] : tensor<2xi32>>, output_shift = #nopt.array<[-16, -16] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
  akida2.dense1d "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = -8) : tensor<32x2xi8>>} {
    akida2.np "FNP3" {ident = #nopt.array<[2, 2, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 48 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Arrays have the shapes and ranges of the vendor.
// CHECK:      error[CHI010]: output_scales has another shape
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: [2] of int32
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: compile the network again
akida2.model @net2 {
  // expected-error @below {{[CHI010]}}
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Arrays have the shapes and ranges of the vendor: `output_shift = [1, -8]`.
// CHECK:      error[CHI010]: output_shift is out of range
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: -31 to 0
// CHECK-NEXT:   found: -8 to 1
// CHECK-NEXT:   help: compile the network again
akida2.model @net2 {
  // expected-error @below {{[CHI010]}}
  akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[1, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Arrays have the shapes and ranges of the vendor.
// CHECK:      error[CHI010]: a layer without act_bits has an activation
// CHECK-NEXT:   at: akida2.conv2d "c1"
// CHECK-NEXT:   expected: no output_scales and output_shift
// CHECK-NEXT:   found: one
// CHECK-NEXT:   help: compile the network again
akida2.model @net2 {
  // expected-error @below {{[CHI010]}}
  akida2.conv2d "c1" of "n1" attributes {output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<[[[[7, 6], [-7, 5]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Arrays have the shapes and ranges of the vendor.
// CHECK:      error[CHI010]: weights have another shape
// CHECK-NEXT:   at: akida2.depthwise_conv2d "d2"
// CHECK-NEXT:   expected: [kh, kw, 2, 1]
// CHECK-NEXT:   found: [3, 3, 1, 1]
// CHECK-NEXT:   help: compile the network again
akida2.model @net2 {
  // expected-error @below {{[CHI010]}}
  akida2.depthwise_conv2d "d2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = 1) : tensor<3x3x1x1xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida2.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Arrays have the shapes and ranges of the vendor.
// CHECK:      error[CHI010]: weights have another shape
// CHECK-NEXT:   at: akida2.dense1d "fc"
// CHECK-NEXT:   expected: [32, units]
// CHECK-NEXT:   found: [31, 2]
// CHECK-NEXT:   help: compile the network again
akida2.model @net2 {
  // expected-error @below {{[CHI010]}}
  akida2.dense1d "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, bias = #nopt.array<[0, 0] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<constant(value = -8) : tensor<31x2xi8>>} {
    akida2.np "FNP3" {ident = #nopt.array<[2, 2, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 48 : i64, external_bytes = 0 : i64}
  }
}
