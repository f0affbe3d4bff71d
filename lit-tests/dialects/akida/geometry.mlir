// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null

// Geometries at the limits of the blocks: each edit is the last one that is accepted; geometry-errors.mlir has the next.
// RUN: nopt %S/inputs/akida_image.mlir | filecheck %s
// CHECK: akida.input_convolutional "c1" of "n1"

// -----

// Geometries at the limits of the blocks: each edit is the last one that is accepted; geometry-errors.mlir has the next.
builtin.module {
  akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
    akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
    akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
      akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
      akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[4, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
    }
    akida.convolutional "c2" of "c2" attributes {input_shape = #nopt.array<[4, 2, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
      akida.np "CNP1" {ident = #nopt.array<[1, 3, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 2] : tensor<4xi32>>, input_bytes = 8 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
    }
    akida.output "out" of "c2" : tensor<2x4x2xi32>
  }
}

// -----

// A kernel of 7 x 7: one word of 50 bytes for each of 2 channels, of 2 bits 2 words.
builtin.module {
  akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
    akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
    akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
      akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
      akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[4, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
    }
    akida.convolutional "c2" of "c2" attributes {input_shape = #nopt.array<[4, 2, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<7x7x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
      akida.np "CNP1" {ident = #nopt.array<[1, 3, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 2] : tensor<4xi32>>, input_bytes = 8 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
    }
    akida.output "out" of "c2" : tensor<2x4x2xi32>
  }
}

// -----

// The input convolution with a stride of 3 and a pool of 2 x 2: ceil(8 / 3) = 3 and ceil(3 / 2) = 2 rows and columns.
builtin.module {
  akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", input = "image", machine.device = "akida/akd1000"} {
    akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 9, 3] : tensor<3xi32>>, weights_bits = 8 : i64, weights = #nopt.array<constant(value = -128) : tensor<3x3x3x2xi8>>, act_bits = 4 : i64, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.5] : tensor<2xf32>>, kernel_stride = #nopt.array<[3, 3] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
      akida.np "HRC" {ident = #nopt.array<[0, 0, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 9] : tensor<4xi32>>, input_bytes = 0 : i64, weight_bytes = 0 : i64, external_bytes = 0 : i64}
    }
    akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[2, 2, 2] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<constant(value = 7) : tensor<1x1x8x2xi8>>} {
      akida.np "FNP2" {ident = #nopt.array<[4, 1, 0] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 2, 2] : tensor<4xi32>>, input_bytes = 4 : i64, weight_bytes = 0 : i64, external_bytes = 80 : i64}
    }
    akida.output "out" of "fc" : tensor<2xi32>
  }
}
