// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// The arrays of a layer have the shapes and the numbers of its parameters: `input_shape = [4, 4]`.
// CHECK:      error[CHI010]: input_shape is not a map
// CHECK-NEXT:   at: akida.input_data "input"
// CHECK-NEXT:   expected: 3 integers from 1
// CHECK-NEXT:   found: [4, 4]
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.input_data "input" {input_shape = #nopt.array<[4, 4] : tensor<2xi32>>, input_bits = 4 : i64}
}

// -----

// The arrays of a layer have the shapes and the numbers of its parameters: `input_bits = 8`.
// CHECK:      error[CHI010]: input_bits is out of range
// CHECK-NEXT:   at: akida.input_data "input"
// CHECK-NEXT:   expected: 1, 2 or 4; an input of 8 bits is that of akida.input_convolutional
// CHECK-NEXT:   found: 8
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 8 : i64}
}

// -----

// The arrays of a layer have the shapes and the numbers of its parameters: `weights = [[[[7, -7]]]]`.
// CHECK:      error[CHI010]: weights have another shape
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: [kh, kw, 2, filters]
// CHECK-NEXT:   found: [1, 1, 1, 2]
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7]]]] : tensor<1x1x1x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The arrays of a layer have the shapes and the numbers of its parameters: `weights = [[[[7, -8], [1, 0]]]]`.
// CHECK:      error[CHI010]: weights exceed weights_bits = 4
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: i8 from -7 to 7
// CHECK-NEXT:   found: -8 to 7
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -8], [1, 0]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The arrays of a layer have the shapes and the numbers of its parameters: `weights = [[[[7, -7], [1, 0]]]]`.
// CHECK:      error[CHI010]: weights exceed weights_bits = 4
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: i8 from -7 to 7
// CHECK-NEXT:   found: int16
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi16>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The arrays of a layer have the shapes and the numbers of its parameters: `weights_bits = 3`.
// CHECK:      error[CHI010]: weights_bits is out of range
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: 1, 2, 4 or 8
// CHECK-NEXT:   found: 3
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 3 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The arrays of a layer have the shapes and the numbers of its parameters: `act_bits = 3`.
// CHECK:      error[CHI010]: act_bits is out of range
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: 1, 2 or 4
// CHECK-NEXT:   found: 3
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 3 : i64, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The arrays of a layer have the shapes and the numbers of its parameters: `threshold = [5, -3, 1]`.
// CHECK:      error[CHI010]: threshold has another shape
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: [2] of int32
// CHECK-NEXT:   found: [3] of int32
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3, 1] : tensor<3xi32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The arrays of a layer have the shapes and the numbers of its parameters: `act_step = [1.0, 0.1]`.
// CHECK:      error[CHI010]: act_step is out of range
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: positive multiples of 1/16
// CHECK-NEXT:   found: 0.1
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.1] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The arrays of a layer have the shapes and the numbers of its parameters: `act_step = [1.0, 0.0]`.
// CHECK:      error[CHI010]: act_step is out of range
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: positive multiples of 1/16
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The arrays of a layer have the shapes and the numbers of its parameters.
// CHECK:      error[CHI010]: a layer without act_bits has an activation
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: no threshold and act_step
// CHECK-NEXT:   found: one
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A window has a known padding and pool, and sizes for a max pool alone: `padding = "full"`.
// CHECK:      error[CHI010]: unknown padding
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: same or valid
// CHECK-NEXT:   found: full
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "full", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A window has a known padding and pool, and sizes for a max pool alone: `pool_type = "min"`.
// CHECK:      error[CHI010]: unknown pool_type
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: none, max or average
// CHECK-NEXT:   found: min
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "min"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A window has a known padding and pool, and sizes for a max pool alone: `pool_type = "max"`.
// CHECK:      error[CHI010]: pool_size is out of range
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: 2 integers from 1
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A window has a known padding and pool, and sizes for a max pool alone.
// CHECK:      error[CHI010]: pool_stride is above pool_size
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: at most [2, 2]
// CHECK-NEXT:   found: [3, 3]
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[3, 3] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A window has a known padding and pool, and sizes for a max pool alone: `kernel_stride = [0, 1]`.
// CHECK:      error[CHI010]: kernel_stride is out of range
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: 2 integers from 1
// CHECK-NEXT:   found: [0, 1]
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[0, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A dense layer has a weight for each input, and a separable one weights of channels and of points.
// CHECK:      error[CHI010]: weights have another shape
// CHECK-NEXT:   at: akida.fully_connected "fc"
// CHECK-NEXT:   expected: [1, 1, 32, units]
// CHECK-NEXT:   found: [1, 1, 31, 2]
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x31x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A dense layer has a weight for each input, and a separable one weights of channels and of points: `weights_pw = [[[[1, -1]]]]`.
// CHECK:      error[CHI010]: weights_pw have another shape
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: [1, 1, 2, filters]
// CHECK-NEXT:   found: [1, 1, 1, 2]
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  // expected-error @below {{[CHI010]}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1]]]] : tensor<1x1x1x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A dense layer has a weight for each input, and a separable one weights of channels and of points: `ident = [3, 1]`.
// CHECK:      error[CHI010]: ident has another shape
// CHECK-NEXT:   at: akida.np
// CHECK-NEXT:   expected: 3 integers
// CHECK-NEXT:   found: [3, 1]
// CHECK-NEXT:   help: compile the network again
akida.model @net {
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    // expected-error @below {{[CHI010]}}
    akida.np "CNP1" {ident = #nopt.array<[3, 1] : tensor<2xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}
