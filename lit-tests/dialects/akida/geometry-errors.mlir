// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Tiles of a map with a pool: its windows do not overlap, and the convolution has no stride.
// RUN: nopt %S/inputs/akida_tiles.mlir -o /dev/null

// The first layer of an image needs no padding: an input of 8 bits makes an input convolution of it. Weights that a pass quantized can be quantized again.
// RUN: exits 1 nopt compile %root/examples/digits/rates.nir --target akida --dt 1ms --like norse --reset subtract --passes 'ntensor-encode-rates{window=16 bits=4},ntensor-quantize-inputs{kind=count bits=4},ntensor-quantize-weights{bits=4 per=neuron}' -o %t 2>&1 | filecheck %s --check-prefix=IMAGE
// RUN: exits 1 nopt compile %root/examples/digits/rates.nir --target akida --set quantization.weight_bits=5 --dt 1ms --like norse --reset subtract --passes 'ntensor-encode-rates{window=16 bits=4},ntensor-quantize-inputs{kind=count bits=8},ntensor-quantize-weights{bits=5 per=neuron}' -o %t 2>&1 | filecheck %s --check-prefix=WIDE
// IMAGE:      error[AKI003]: a processor pads every map
// IMAGE-NEXT:   at: akida.convolutional "conv1"
// IMAGE-NEXT:   expected: padding same (akida/akd1000, features.cnp_same_padding: {{.*}})
// IMAGE-NEXT:   found: valid
// IMAGE-NEXT:   help: nopt compile {{.*}}rates.nir --target akida --dt 1ms --like norse --reset subtract --passes 'ntensor-encode-rates{window=16 bits=4},ntensor-quantize-inputs{kind=count bits=8},ntensor-quantize-weights{bits=4 per=neuron}' -o {{.*}}geometry-errors.mlir.tmp
// WIDE:      error[CHI016]: weights have more bits than the layer holds
// WIDE-NEXT:   at: ntensor.conv2d "conv2"
// WIDE-NEXT:   expected: -7 to 7 (4 bits)
// WIDE-NEXT:   found: -15 to 15
// WIDE-NEXT:   help: nopt compile {{.*}}rates.nir --target akida --set quantization.weight_bits=5 --dt 1ms --like norse --reset subtract --passes 'ntensor-encode-rates{window=16 bits=4},ntensor-quantize-inputs{kind=count bits=8},ntensor-quantize-weights{bits=4 per=neuron}' -o {{.*}}geometry-errors.mlir.tmp

// -----

// Tiles of a map with a pool: its windows do not overlap, and the convolution has no stride.
// CHECK:      error[AKI003]: a pool whose windows overlap needs the whole map on one processor
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: a map in one tile (akida/akd1000, features.overlapping_tiles: {{.*}})
// CHECK-NEXT:   found: 2 tiles
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{make the stride of the pool equal to its size}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[4, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
  akida.convolutional "c2" of "c2" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[1, 3, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 8, 4] : tensor<4xi32>>, input_bytes = 8 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
}

// -----

// Tiles of a map with a pool: its windows do not overlap, and the convolution has no stride.
// CHECK:      error[AKI003]: a convolution with a stride and a pool needs the whole map on one processor
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: a map in one tile (akida/akd1000, features.strided_pool_tiles: {{.*}})
// CHECK-NEXT:   found: 2 tiles
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{use the stride or the pool alone}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[2, 2] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[4, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
  akida.convolutional "c2" of "c2" attributes {input_shape = #nopt.array<[2, 1, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[1, 3, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 2, 1] : tensor<4xi32>>, input_bytes = 8 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A max pool is of the input at most, and not of the last layer.
// CHECK:      error[AKI003]: the pool is larger than the input
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: at most the input of 8 x 1 (akida/akd1000, features.cnp_pool: {{.*}})
// CHECK-NEXT:   found: 2 x 2
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[8, 1, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{remove the pool}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 1, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A max pool is of the input at most, and not of the last layer.
// CHECK:      error[AKI003]: a layer with max pooling is not followed by a convolution
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: a convolution after it (akida/akd1000, features.pooled_last: {{.*}})
// CHECK-NEXT:   found: no layer
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{pool by a stride, by a sum of the whole map, or before another convolution}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The sum of a map is on one processor: 32 rows at most, 3 columns at least, and the memory of its input.
// CHECK:      error[AKI003]: a sum of a whole map cannot be divided into tiles
// CHECK-NEXT:   at: akida.convolutional "c2"
// CHECK-NEXT:   expected: a height of at most 3 (akida/akd1000, features.cnp_height: {{.*}})
// CHECK-NEXT:   found: 4
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.cnp_height=3"], ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{split the layer into several, or make its map smaller by a stride or pool before it}}
  akida.convolutional "c2" of "c2" attributes {input_shape = #nopt.array<[4, 2, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "average"} {
    akida.np "CNP1" {ident = #nopt.array<[1, 3, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 2] : tensor<4xi32>>, input_bytes = 8 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The sum of a map is on one processor: 32 rows at most, 3 columns at least, and the memory of its input.
// CHECK:      error[AKI003]: the map of a sum is too narrow
// CHECK-NEXT:   at: akida.convolutional "c2"
// CHECK-NEXT:   expected: a width of at least 3 (akida/akd1000, features.summed_least_width: {{.*}})
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{use a dense layer}}
  akida.convolutional "c2" of "c2" attributes {input_shape = #nopt.array<[4, 2, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "average"} {
    akida.np "CNP1" {ident = #nopt.array<[1, 3, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 2] : tensor<4xi32>>, input_bytes = 8 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
}

// -----

// The sum of a map is on one processor: 32 rows at most, 3 columns at least, and the memory of its input.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.summed_least_width=2"], ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[4, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
  akida.convolutional "c2" of "c2" attributes {input_shape = #nopt.array<[4, 2, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "average"} {
    akida.np "CNP1" {ident = #nopt.array<[1, 3, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 2] : tensor<4xi32>>, input_bytes = 8 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
  akida.output "out" of "c2" : tensor<2xi32>
}

// -----

// The sum of a map is on one processor: 32 rows at most, 3 columns at least, and the memory of its input.
// CHECK:      error[AKI003]: a sum of a whole map cannot be divided into tiles
// CHECK-NEXT:   at: akida.convolutional "c2"
// CHECK-NEXT:   expected: an input of at most 7 bytes (akida/akd1000, core.memory.input.bytes: {{.*}})
// CHECK-NEXT:   found: 8 bytes
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.summed_least_width=2", "core.memory.input.bytes=7", "core.memory_bytes=44807"], ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{split the layer into several, or make its map smaller by a stride or pool before it}}
  akida.convolutional "c2" of "c2" attributes {input_shape = #nopt.array<[4, 2, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "average"} {
    akida.np "CNP1" {ident = #nopt.array<[1, 3, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 2] : tensor<4xi32>>, input_bytes = 8 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A processor reads a number of channels.
// CHECK:      error[AKI003]: a layer reads more channels than a processor
// CHECK-NEXT:   at: akida.convolutional "c1"
// CHECK-NEXT:   expected: at most 1 channels (akida/akd1000, features.cnp_channels: {{.*}})
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: nopt check FILE --target auto
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.cnp_channels=1"], ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  // expected-error @below {{[AKI003]}}
  // expected-note @below {{give the layer before fewer filters}}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
}

// -----

// A processor reads a number of channels.
// This is accepted.
akida.model @net attributes {tick_ns = 1000000 : i64, machine.set = ["features.cnp_channels=2"], ip_version = "v1", machine.device = "akida/akd1000"} {
  akida.input_data "input" {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
  akida.convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[8, 4, 2] : tensor<3xi32>>, weights_bits = 2 : i64, weights = #nopt.array<constant(value = 1) : tensor<3x3x2x2xi8>>, act_bits = 2 : i64, threshold = #nopt.array<[5, -3] : tensor<2xi32>>, act_step = #nopt.array<[1.0, 0.0625] : tensor<2xf32>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>} {
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
    akida.np "CNP1" {ident = #nopt.array<[3, 1, 3] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[4, 0, 4, 4] : tensor<4xi32>>, input_bytes = 32 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
  akida.convolutional "c2" of "c2" attributes {input_shape = #nopt.array<[4, 2, 2] : tensor<3xi32>>, weights_bits = 1 : i64, weights = #nopt.array<constant(value = 1) : tensor<1x1x2x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "none"} {
    akida.np "CNP1" {ident = #nopt.array<[1, 3, 1] : tensor<3xi32>>, filters = #nopt.array<[0, 2] : tensor<2xi32>>, tile = #nopt.array<[0, 0, 4, 2] : tensor<4xi32>>, input_bytes = 8 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}
  }
}
