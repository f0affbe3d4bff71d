// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// The block of the input convolution: kernels of 3, 5 or 7, strides up to 3, one or three channels, and filters by both.
// RUN: nopt %S/inputs/akida_image.mlir -o /dev/null

// -----

// The block of the input convolution: kernels of 3, 5 or 7, strides up to 3, one or three channels, and filters by both.
// CHECK:      error[AKI003]: the kernel has a size that the device does not compute
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: square, odd, 3 to 7 (akida/akd1000, features.hrc_kernel: {{.*}})
// CHECK-NEXT:   found: 9 x 9
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{replace the layer by several with smaller kernels}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<9x9x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The block of the input convolution: kernels of 3, 5 or 7, strides up to 3, one or three channels, and filters by both.
// CHECK:      error[AKI003]: the kernel has a size that the device does not compute
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: square, odd, 3 to 7 (akida/akd1000, features.hrc_kernel: {{.*}})
// CHECK-NEXT:   found: 1 x 1
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{replace the layer by several with smaller kernels}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<1x1x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The block of the input convolution: kernels of 3, 5 or 7, strides up to 3, one or three channels, and filters by both.
// CHECK:      error[AKI003]: the stride is larger than the device computes
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: at most 3 (akida/akd1000, features.hrc_stride: {{.*}})
// CHECK-NEXT:   found: 4 x 4
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{use a smaller stride, then a pool}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[4, 4] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The block of the input convolution: kernels of 3, 5 or 7, strides up to 3, one or three channels, and filters by both.
// CHECK:      error[AKI003]: the input has a number of channels that the block does not read
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: 1 or 3 channels (akida/akd1000, features.hrc_channels: {{.*}})
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{give the input convolution an image with one or three channels}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 2] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x2x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The block of the input convolution: kernels of 3, 5 or 7, strides up to 3, one or three channels, and filters by both.
// CHECK:      error[AKI003]: the input convolution has more filters than the block holds
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: at most 1 filters (akida/akd1000, features.hrc_filters_3_3: {{.*}})
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.hrc_filters_3_3=1"], ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{give the first layer fewer filters}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The block of the input convolution: kernels of 3, 5 or 7, strides up to 3, one or three channels, and filters by both.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.hrc_filters_3_3=2"], ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[8, 9, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<constant(value = 7) : tensor<1x1x144x2xi8>>} {
    akida.np "FNP2" {ident = #nopt.array<[4, 1, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 20 : i64, weight_bytes = 0 : i64, external_bytes = 272 : i64}
  }
}

// -----

// Its image has at most 256 columns and at least 5 x 5 elements, and the height of the kernel.
// CHECK:      error[AKI003]: the image is wider than a line of the block
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: a width of at most 8 (akida/akd1000, features.hrc_width: {{.*}})
// CHECK-NEXT:   found: 9
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.hrc_width=8"], ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{scale the image down, or exchange height and width}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Its image has at most 256 columns and at least 5 x 5 elements, and the height of the kernel.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.hrc_width=9"], ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Its image has at most 256 columns and at least 5 x 5 elements, and the height of the kernel.
// CHECK:      error[AKI003]: the image is smaller than the block reads
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: at least 9 along each axis (akida/akd1000, features.hrc_least_size: {{.*}})
// CHECK-NEXT:   found: 8 x 9
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.hrc_least_size=9"], ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pad the image}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Its image has at most 256 columns and at least 5 x 5 elements, and the height of the kernel.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.hrc_least_size=8"], ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Its pool has the stride of its size, at most 2 x 2, and leaves 2 columns; it adds no map, and has an activation.
// CHECK:      error[AKI003]: the pool is larger than the device computes
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: at most 2 x 2 (akida/akd1000, features.hrc_pool: {{.*}})
// CHECK-NEXT:   found: 3 x 3
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pool by 2 x 2, or compile for a device with larger pools}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[3, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[3, 3] : tensor<2xi32>>} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Its pool has the stride of its size, at most 2 x 2, and leaves 2 columns; it adds no map, and has an activation.
// CHECK:      error[AKI003]: pools of the input block overlap
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: a stride of 2 x 2, that of the pool (akida/akd1000, features.hrc_equal_pools: {{.*}})
// CHECK-NEXT:   found: 1 x 1
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{make the stride of the pool equal to its size}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Its pool has the stride of its size, at most 2 x 2, and leaves 2 columns; it adds no map, and has an activation.
// CHECK:      error[AKI003]: the result of the input block is too narrow
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: at least 8 columns of the result (akida/akd1000, features.hrc_least_columns: {{.*}})
// CHECK-NEXT:   found: 7
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.hrc_least_columns=8"], ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{use a smaller stride, or an image with more columns}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "valid", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Its pool has the stride of its size, at most 2 x 2, and leaves 2 columns; it adds no map, and has an activation.
// CHECK:      error[AKI003]: the block of the input convolution does not add a whole map
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: max pooling or none (akida/akd1000, features.hrc_pool: {{.*}})
// CHECK-NEXT:   found: average
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{add a convolution before the sum}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "average"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Its pool has the stride of its size, at most 2 x 2, and leaves 2 columns; it adds no map, and has an activation.
// CHECK:      error[AKI003]: the input block has no activation
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: an activation of 1, 2 or 4 bits (akida/akd1000, features.hrc_activation: {{.*}})
// CHECK-NEXT:   found: potentials
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{add an activation, or another layer after it}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Its pool has the stride of its size, at most 2 x 2, and leaves 2 columns; it adds no map, and has an activation: `value = 0`.
// CHECK:      error[AKI003]: all weights of a layer are 0
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: a weight that is not 0 (akida/akd1000, features.nonzero_weights: {{.*}})
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{remove the layer}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = 0) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Dense layers with weights in external memory need a processor each.
// CHECK:      error[AKI005]: the processor [1, 3, 0] has no such function
// CHECK-NEXT:   at: akida.fully_connected "fc"
// CHECK-NEXT:   expected: CNP1, FNP3
// CHECK-NEXT:   found: FNP2
// CHECK-NEXT:   help: compile the network again
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[AKI005]}}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[8, 9, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<constant(value = 7) : tensor<1x1x144x2xi8>>} {
    akida.np "FNP2" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 20 : i64, weight_bytes = 0 : i64, external_bytes = 272 : i64}
  }
}

// -----

// Strides and pools of the block may differ along both axes; those of a processor do not.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 3] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[8, 3, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<constant(value = 7) : tensor<1x1x48x2xi8>>} {
    akida.np "FNP2" {ident = #nopt.array<[4, 1, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 3] : tensor<4xi32>>, input_bytes = 8 : i64, weight_bytes = 0 : i64, external_bytes = 128 : i64}
  }
}

// -----

// Strides and pools of the block may differ along both axes; those of a processor do not.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 1] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 1] : tensor<2xi32>>} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 9, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<constant(value = 7) : tensor<1x1x72x2xi8>>} {
    akida.np "FNP2" {ident = #nopt.array<[4, 1, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 9] : tensor<4xi32>>, input_bytes = 12 : i64, weight_bytes = 0 : i64, external_bytes = 176 : i64}
  }
}

// -----

// Strides and pools of the block may differ along both axes; those of a processor do not.
// CHECK:      error[AKI003]: the pool is larger than the device computes
// CHECK-NEXT:   at: akida.input_convolutional "c1"
// CHECK-NEXT:   expected: at most 2 x 2 (akida/akd1000, features.hrc_pool: {{.*}})
// CHECK-NEXT:   found: 1 x 3
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pool by 2 x 2, or compile for a device with larger pools}}
  akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[1, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 3] : tensor<2xi32>>} {
    akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Strides and pools of the block may differ along both axes; those of a processor do not.
// CHECK:      error[AKI003]: the stride differs along both axes
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: equal along both axes (akida/akd1000, features.equal_strides: {{.*}})
// CHECK-NEXT:   found: 1 x 2
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{make the stride equal}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 2] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}
