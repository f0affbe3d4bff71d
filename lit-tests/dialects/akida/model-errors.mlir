// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A processor computes square kernels of 1, 3, 5 or 7; those of separable layers are 3 or more: `weights = constant(value = 1)`.
// CHECK:      error[AKI003]: the kernel has a size that the device does not compute
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: square, odd, 1 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// CHECK-NEXT:   found: 9 x 9
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{replace the layer by several with smaller kernels}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<constant(value = 1) : tensor<9x9x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A processor computes square kernels of 1, 3, 5 or 7; those of separable layers are 3 or more: `weights = constant(value = 1)`.
// CHECK:      error[AKI003]: the kernel has a size that the device does not compute
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: square, odd, 1 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// CHECK-NEXT:   found: 2 x 2
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{replace the layer by several with smaller kernels}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<constant(value = 1) : tensor<2x2x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A processor computes square kernels of 1, 3, 5 or 7; those of separable layers are 3 or more.
// CHECK:      error[AKI003]: the kernel has a size that the device does not compute
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: square, odd, 3 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// CHECK-NEXT:   found: 1 x 1
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{replace the layer by several with smaller kernels}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A processor computes square kernels of 1, 3, 5 or 7; those of separable layers are 3 or more.
// CHECK:      error[AKI003]: the kernel has a size that the device does not compute
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: square, odd, 3 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// CHECK-NEXT:   found: 3 x 5
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{replace the layer by several with smaller kernels}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x5x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A stride is 1, or 2 with a kernel of 3 x 3, and equal along both axes.
// CHECK:      error[AKI003]: the stride is larger than the device computes
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: at most 2 (akida/akd1000, features.cnp_stride: {{.*}})
// CHECK-NEXT:   found: 3 x 3
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{use a stride of 2, or a pool}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[3, 3] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A stride is 1, or 2 with a kernel of 3 x 3, and equal along both axes.
// CHECK:      error[AKI003]: a stride requires another kernel
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: a kernel of 3 x 3 (akida/akd1000, features.cnp_strided_kernel: {{.*}})
// CHECK-NEXT:   found: 5 x 5
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{use a kernel of 3 x 3}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<5x5x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[2, 2] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A stride is 1, or 2 with a kernel of 3 x 3, and equal along both axes.
// CHECK:      error[AKI003]: the stride differs along both axes
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: equal along both axes (akida/akd1000, features.equal_strides: {{.*}})
// CHECK-NEXT:   found: 1 x 2
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{make the stride equal}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 2] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Convolutions are padded; pools of 2 x 2 at most, of the input at most, and before another convolution: `padding = "valid"`.
// CHECK:      error[AKI003]: a processor pads every map
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: padding same (akida/akd1000, features.cnp_same_padding: {{.*}})
// CHECK-NEXT:   found: valid
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pad the convolution so that the size of its map is kept}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "valid", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Convolutions are padded; pools of 2 x 2 at most, of the input at most, and before another convolution.
// CHECK:      error[AKI003]: the pool is larger than the device computes
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: at most 2 x 2 (akida/akd1000, features.cnp_pool: {{.*}})
// CHECK-NEXT:   found: 3 x 3
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pool by 2 x 2, or compile for a device with larger pools}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[3, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Convolutions are padded; pools of 2 x 2 at most, of the input at most, and before another convolution.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Convolutions are padded; pools of 2 x 2 at most, of the input at most, and before another convolution.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1500"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[3, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[1, 2, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Convolutions are padded; pools of 2 x 2 at most, of the input at most, and before another convolution.
// CHECK:      error[AKI003]: a layer with max pooling is not followed by a convolution
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: a convolution after it (akida/akd1000, features.pooled_last: {{.*}})
// CHECK-NEXT:   found: FullyConnected after it
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pool by a stride, by a sum of the whole map, or before another convolution}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Convolutions are padded; pools of 2 x 2 at most, of the input at most, and before another convolution.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "average"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[1, 1, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Weights of a processor have at most 4 bits, of separable layers at least 2; thresholds have 20 bits, and steps are from 1/16 to below 65536: `weights_bits = 8`.
// CHECK:      error[AKI004]: the weights have more bits than a processor has
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: at most 4 bits (akida/akd1000, features.cnp_bits: {{.*}})
// CHECK-NEXT:   found: 8 bits
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI004]}}
  // expected-note @below {{use weights of 4 bits}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Weights of a processor have at most 4 bits, of separable layers at least 2; thresholds have 20 bits, and steps are from 1/16 to below 65536.
// CHECK:      error[AKI004]: separable weights have too few bits
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: at least 2 bits (akida/akd1000, features.separable_least_bits: {{.*}})
// CHECK-NEXT:   found: 1
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI004]}}
  // expected-note @below {{store the weights with 2 bits}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, 1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Weights of a processor have at most 4 bits, of separable layers at least 2; thresholds have 20 bits, and steps are from 1/16 to below 65536: `threshold = [524288, -3]`.
// CHECK:      error[AKI004]: thresholds exceed their register
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: -524288..524287: 20 bits (akida/akd1000, features.threshold_bits: {{.*}})
// CHECK-NEXT:   found: -3 to 524288
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI004]}}
  // expected-note @below {{make weights or bias smaller}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[524288, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Weights of a processor have at most 4 bits, of separable layers at least 2; thresholds have 20 bits, and steps are from 1/16 to below 65536: `threshold = [524287, -524288]` is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[524287, -524288] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Weights of a processor have at most 4 bits, of separable layers at least 2; thresholds have 20 bits, and steps are from 1/16 to below 65536: `act_step = [65536.0, 0.0625]`.
// CHECK:      error[AKI004]: steps exceed their register
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: 0.0625 to below 65536 (akida/akd1000, features.most_act_step: {{.*}})
// CHECK-NEXT:   found: 65536
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI004]}}
  // expected-note @below {{scale the weights of the layer, and its threshold and step with them}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[65536.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Weights of a processor have at most 4 bits, of separable layers at least 2; thresholds have 20 bits, and steps are from 1/16 to below 65536: `act_step = [65535.0, 0.0625]` is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[65535.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Weights of a processor have at most 4 bits, of separable layers at least 2; thresholds have 20 bits, and steps are from 1/16 to below 65536.
// CHECK:      error[AKI003]: all weights of a layer are 0
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: a weight that is not 0 (akida/akd1000, features.nonzero_weights: {{.*}})
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{remove the layer}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 0) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[0, 0], [0, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Learning: 1 bit of input and weights, at most as many connections as inputs, units divided by the classes.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, learning = #nopt.array<[32.0, 2.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Learning: 1 bit of input and weights, at most as many connections as inputs, units divided by the classes.
// CHECK:      error[AKI009]: num_weights is out of range
// CHECK-NEXT:   at: akida.fully_connected "fc"
// CHECK-NEXT:   expected: 1 to 32
// CHECK-NEXT:   found: 33
// CHECK-NEXT:   help: compile the network with --set preferences.num_weights=0
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[AKI009]}}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, learning = #nopt.array<[33.0, 2.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Learning: 1 bit of input and weights, at most as many connections as inputs, units divided by the classes.
// CHECK:      error[AKI009]: the units are not divided evenly between the classes
// CHECK-NEXT:   at: akida.fully_connected "fc"
// CHECK-NEXT:   expected: a divisor of 2
// CHECK-NEXT:   found: 3 classes
// CHECK-NEXT:   help: compile the network with --set preferences.num_weights=0
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[AKI009]}}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, learning = #nopt.array<[3.0, 3.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Learning: 1 bit of input and weights, at most as many connections as inputs, units divided by the classes.
// CHECK:      error[AKI009]: initial_plasticity is out of range
// CHECK-NEXT:   at: akida.fully_connected "fc"
// CHECK-NEXT:   expected: 0 to 1
// CHECK-NEXT:   found: 1.5
// CHECK-NEXT:   help: compile the network with --set preferences.num_weights=0
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[AKI009]}}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, learning = #nopt.array<[3.0, 2.0, 1.5, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Learning: 1 bit of input and weights, at most as many connections as inputs, units divided by the classes.
// CHECK:      error[AKI009]: only weights of 1 bit learn
// CHECK-NEXT:   at: akida.fully_connected "fc"
// CHECK-NEXT:   expected: weights_bits = 1
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: compile the network with --set preferences.num_weights=0
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI009]}}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, learning = #nopt.array<[3.0, 2.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}
