// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// The shape of an input is a map, and the numbers of a processor have their shapes, in both versions: `input_shape = [4, 4]`.
// CHECK:      error[CHI010]: input_shape is not a map
// CHECK:        expected: 3 integers from 1
// CHECK-NEXT:   found: [4, 4]
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4] : tensor<2xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The shape of an input is a map, and the numbers of a processor have their shapes, in both versions.
// CHECK:      error[CHI010]: tile has another shape
// CHECK:        expected: 4 integers
// CHECK-NEXT:   found: [0, 4]
akida.model @net {
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    // expected-error @below {{[CHI010]}}
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 4] : tensor<2xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    // expected-error @below {{[CHI010]}}
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 4] : tensor<2xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    // expected-error @below {{[CHI010]}}
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 4] : tensor<2xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}
