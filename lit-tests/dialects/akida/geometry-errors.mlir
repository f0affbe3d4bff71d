// Tiles of a map with a pool: its windows do not overlap, and the convolution has no stride.
// RUN: nopt %S/inputs/akida_tiles.mlir -o /dev/null
// RUN: mutate '/"c1"/s/pool_stride = #nopt.array<\[2, 2\]/pool_stride = #nopt.array<[1, 1]/' '/"c2"/s/\[4, 2, 2\]/[8, 4, 2]/' 's/tensor<2x4x2xi32>/tensor<2x8x4xi32>/' 's/0, 0, 4, 2/0, 0, 8, 4/' %S/inputs/akida_tiles.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=OVERLAP
// RUN: mutate '/"c1"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[2, 2]/' '/"c2"/s/\[4, 2, 2\]/[2, 1, 2]/' 's/tensor<2x4x2xi32>/tensor<2x2x1xi32>/' 's/0, 0, 4, 2/0, 0, 2, 1/' %S/inputs/akida_tiles.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STRIDED
// OVERLAP:      error[AKI003]: a pool whose windows overlap needs the whole map on one processor
// OVERLAP-NEXT:   at: akida.convolutional "c1"
// OVERLAP-NEXT:   expected: a map in one tile (akida/akd1000, features.overlapping_tiles: {{.*}})
// OVERLAP-NEXT:   found: 2 tiles
// OVERLAP-NEXT:   help: nopt check FILE --target auto
// OVERLAP-NEXT:   note: make the stride of the pool equal to its size
// STRIDED:      error[AKI003]: a convolution with a stride and a pool needs the whole map on one processor
// STRIDED-NEXT:   at: akida.convolutional "c1"
// STRIDED-NEXT:   expected: a map in one tile (akida/akd1000, features.strided_pool_tiles: {{.*}})
// STRIDED-NEXT:   found: 2 tiles
// STRIDED-NEXT:   help: nopt check FILE --target auto
// STRIDED-NEXT:   note: use the stride or the pool alone

// A max pool is of the input at most, and not of the last layer.
// RUN: mutate 's/\[8, 4, 2\]/[8, 1, 2]/g' '/"c2"/s/\[4, 2, 2\]/[4, 1, 2]/' 's/tensor<2x4x2xi32>/tensor<2x4x1xi32>/' %S/inputs/akida_tiles.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SMALL
// RUN: mutate '/akida.convolutional "c2"/,/^    }/d' 's/of "c2"/of "n1"/' %S/inputs/akida_tiles.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=LAST
// SMALL:      error[AKI003]: the pool is larger than the input
// SMALL-NEXT:   at: akida.convolutional "c1"
// SMALL-NEXT:   expected: at most the input of 8 x 1 (akida/akd1000, features.cnp_pool: {{.*}})
// SMALL-NEXT:   found: 2 x 2
// SMALL-NEXT:   help: nopt check FILE --target auto
// SMALL-NEXT:   note: remove the pool
// LAST:      error[AKI003]: a layer with max pooling is not followed by a convolution
// LAST-NEXT:   at: akida.convolutional "c1"
// LAST-NEXT:   expected: a convolution after it (akida/akd1000, features.pooled_last: {{.*}})
// LAST-NEXT:   found: no layer
// LAST-NEXT:   help: nopt check FILE --target auto
// LAST-NEXT:   note: pool by a stride, by a sum of the whole map, or before another convolution

// The sum of a map is on one processor: 32 rows at most, 3 columns at least, and the memory of its input.
// RUN: mutate 's/ip_version/machine.set = ["features.cnp_height=3"], ip_version/' '/"c2"/s/"none"/"average"/' 's/tensor<2x4x2xi32>/tensor<2xi32>/' %S/inputs/akida_tiles.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=ROWS
// RUN: mutate '/"c2"/s/"none"/"average"/' 's/tensor<2x4x2xi32>/tensor<2xi32>/' %S/inputs/akida_tiles.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=COLUMNS
// RUN: mutate 's/ip_version/machine.set = ["features.summed_least_width=2"], ip_version/' '/"c2"/s/"none"/"average"/' 's/tensor<2x4x2xi32>/tensor<2xi32>/' %S/inputs/akida_tiles.mlir | nopt - -o /dev/null
// RUN: mutate 's/ip_version/machine.set = ["features.summed_least_width=2", "core.memory.input.bytes=7", "core.memory_bytes=44807"], ip_version/' '/"c2"/s/"none"/"average"/' 's/tensor<2x4x2xi32>/tensor<2xi32>/' %S/inputs/akida_tiles.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=MEMORY
// ROWS:      error[AKI003]: a sum of a whole map cannot be divided into tiles
// ROWS-NEXT:   at: akida.convolutional "c2"
// ROWS-NEXT:   expected: a height of at most 3 (akida/akd1000, features.cnp_height: {{.*}})
// ROWS-NEXT:   found: 4
// ROWS-NEXT:   help: nopt check FILE --target auto
// ROWS-NEXT:   note: split the layer into several, or make its map smaller by a stride or pool before it
// COLUMNS:      error[AKI003]: the map of a sum is too narrow
// COLUMNS-NEXT:   at: akida.convolutional "c2"
// COLUMNS-NEXT:   expected: a width of at least 3 (akida/akd1000, features.summed_least_width: {{.*}})
// COLUMNS-NEXT:   found: 2
// COLUMNS-NEXT:   help: nopt check FILE --target auto
// COLUMNS-NEXT:   note: use a dense layer
// MEMORY:      error[AKI003]: a sum of a whole map cannot be divided into tiles
// MEMORY-NEXT:   at: akida.convolutional "c2"
// MEMORY-NEXT:   expected: an input of at most 7 bytes (akida/akd1000, core.memory.input.bytes: {{.*}})
// MEMORY-NEXT:   found: 8 bytes
// MEMORY-NEXT:   help: nopt check FILE --target auto
// MEMORY-NEXT:   note: split the layer into several, or make its map smaller by a stride or pool before it

// A processor reads a number of channels.
// RUN: mutate 's/ip_version/machine.set = ["features.cnp_channels=1"], ip_version/' %S/inputs/akida_tiles.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=CHANNELS
// RUN: mutate 's/ip_version/machine.set = ["features.cnp_channels=2"], ip_version/' %S/inputs/akida_tiles.mlir | nopt - -o /dev/null
// CHANNELS:      error[AKI003]: a layer reads more channels than a processor
// CHANNELS-NEXT:   at: akida.convolutional "c1"
// CHANNELS-NEXT:   expected: at most 1 channels (akida/akd1000, features.cnp_channels: {{.*}})
// CHANNELS-NEXT:   found: 2
// CHANNELS-NEXT:   help: nopt check FILE --target auto
// CHANNELS-NEXT:   note: give the layer before fewer filters

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
