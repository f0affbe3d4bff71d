// Geometries at the limits of the blocks: each edit is the last one that is accepted; geometry-errors.mlir has the next.
// RUN: nopt %S/inputs/akida_tiles.mlir -o /dev/null
// RUN: nopt %S/inputs/akida_image.mlir | filecheck %s
// CHECK: akida.input_convolutional "c1" of "n1"

// A kernel of 7 x 7: one word of 50 bytes for each of 2 channels, of 2 bits 2 words.
// RUN: mutate '/"c2"/s/tensor<1x1x2x2xi8>/tensor<7x7x2x2xi8>/' %S/inputs/akida_tiles.mlir | nopt - -o /dev/null

// The input convolution with a stride of 3 and a pool of 2 x 2: ceil(8 / 3) = 3 and ceil(3 / 2) = 2 rows and columns.
// RUN: mutate '/"c1"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[3, 3]/' '/"c1"/s/"none"/"max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>/' '/"fc" of/s/\[8, 9, 2\]/[2, 2, 2]/' 's/1x1x144x2/1x1x8x2/' '/FNP2/s/0, 0, 8, 9/0, 0, 2, 2/' 's/input_bytes = 20/input_bytes = 4/' 's/external_bytes = 272/external_bytes = 80/' %S/inputs/akida_image.mlir | nopt - -o /dev/null
