// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Layers form one sequence, which reads the input of the network.
// CHECK:      error[CHI011]: a model has no layer
// CHECK-NEXT:   at: akida.model @net
// CHECK-NEXT:   expected: at least one layer
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: compile the network again
// expected-error @below {{[CHI011]}}
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
}

// -----

// Layers form one sequence, which reads the input of the network.
// CHECK:      error[CHI011]: two layers have the same name
// CHECK-NEXT:   at: akida.model @net
// CHECK-NEXT:   expected: each name once
// CHECK-NEXT:   found: c1
// CHECK-NEXT:   help: compile the network again
// expected-error @below {{[CHI011]}}
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
  akida.separable_convolutional "c1" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Layers form one sequence, which reads the input of the network: `input_shape = [4, 3, 2]`.
// CHECK:      error[CHI011]: a layer reads another map than the layer before produces
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: [4, 4, 2]
// CHECK-NEXT:   found: [4, 3, 2]
// CHECK-NEXT:   help: compile the network again
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[CHI011]}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 3, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Layers form one sequence, which reads the input of the network.
// This is accepted.
builtin.module {
  akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
    akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
    akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
      akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
    }
    akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
      akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
    }
    akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[1, 1, 32] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
      akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
    }
    akida.output "out" of "fc" : tensor<2xi32>
  }
}

// -----

// Layers form one sequence, which reads the input of the network: `kernel_stride = [1, 1]`.
// CHECK:      error[CHI011]: potentials of a layer are the input of another one
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: act_bits of 1, 2 or 4
// CHECK-NEXT:   found: a layer without activation
// CHECK-NEXT:   help: compile the network again
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[CHI011]}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Layers form one sequence, which reads the input of the network.
// CHECK:      error[CHI011]: the input of a model is read by an input convolution or by akida.input_data
// CHECK-NEXT:   at: akida.model @net
// CHECK-NEXT:   expected: one of them
// CHECK-NEXT:   found: neither
// CHECK-NEXT:   help: compile the network again
// expected-error @below {{[CHI011]}}
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Layers form one sequence, which reads the input of the network.
// CHECK:      error[CHI011]: an output is not that of the last layer
// CHECK-NEXT:   at: akida.output "out"
// CHECK-NEXT:   expected: fc
// CHECK-NEXT:   found: n2
// CHECK-NEXT:   help: compile the network again
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[CHI011]}}
  akida.output "out" of "n2" : tensor<2xi32>
}

// -----

// Layers form one sequence, which reads the input of the network.
// CHECK:      error[CHI011]: the type of an output differs from its layer
// CHECK-NEXT:   at: akida.output "out"
// CHECK-NEXT:   expected: 2
// CHECK-NEXT:   found: 3
// CHECK-NEXT:   help: compile the network again
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[CHI011]}}
  akida.output "out" of "fc" : tensor<3xi32>
}

// -----

// Passes have numbers from 0, in the order of the layers.
// CHECK:      error[CHI011]: the passes of layers do not follow each other
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: pass_number = 0
// CHECK-NEXT:   found: 1
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[CHI011]}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, pass_number = 1 : i64, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Passes have numbers from 0, in the order of the layers.
// CHECK:      error[CHI011]: the passes of layers do not follow each other
// CHECK-NEXT:   at: akida.separable_convolutional "s2"
// CHECK-NEXT:   expected: pass_number = 0 or 1
// CHECK-NEXT:   found: 2
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[CHI011]}}
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, pass_number = 2 : i64, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Passes have numbers from 0, in the order of the layers.
// CHECK:      error[CHI011]: the passes of layers do not follow each other
// CHECK-NEXT:   at: akida.fully_connected "fc"
// CHECK-NEXT:   expected: pass_number = 1 or 2
// CHECK-NEXT:   found: 0
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[[[7, -7], [1, 0]]]] : tensor<1x1x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 200 : i64, external_bytes = 0 : i64}
  }
  akida.separable_convolutional "s2" of "n2" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, pass_number = 1 : i64, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x1xi8>>, weights_pw = #nopt.array<[[[[1, -1], [0, 1]]]] : tensor<1x1x2x2xi8>>, act_bits = 1 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 16 : i64, weight_bytes = 63 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[CHI011]}}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The instruction set, the tick, the name of an image, and outputs of other values: `ip_version = "v7"`.
// CHECK:      error[CHI011]: another instruction set
// CHECK:        expected: v1
// CHECK-NEXT:   found: v7
// expected-error @below {{[CHI011]}}
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v7"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The instruction set, the tick, the name of an image, and outputs of other values: `tick_ns = 0`.
// expected-error @below {{[CHI011]: the length of a tick is not positive}}
akida.model @net attributes {tick_ns = 0 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The instruction set, the tick, the name of an image, and outputs of other values.
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[CHI011]: two outputs have the same name}}
  akida.output "out" of "fc" : tensor<2xi32>
akida.output "out" of "fc" : tensor<2xi32>
}

// -----

// The instruction set, the tick, the name of an image, and outputs of other values.
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1"} {
  akida.input_data "input" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x32x2xi8>>} {
    akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 40 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[CHI011]: an output does not hold the values of its layer}}
  akida.output "out" of "fc" : tensor<2xi1>
}
