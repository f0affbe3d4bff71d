// The block of the input convolution: kernels of 3, 5 or 7, strides up to 3, one or three channels, and filters by both.
// RUN: nopt %S/inputs/akida_image.mlir -o /dev/null
// RUN: mutate '/"c1"/s/3x3x3x2xi8/9x9x3x2xi8/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NINE
// RUN: mutate '/"c1"/s/3x3x3x2xi8/1x1x3x2xi8/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POINT
// RUN: mutate '/"c1"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[4, 4]/' '/"fc" of/s/\[8, 9, 2\]/[2, 3, 2]/' 's/1x1x144x2/1x1x12x2/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STRIDE
// RUN: mutate '/"c1"/s/\[8, 9, 3\]/[8, 9, 2]/' '/"c1"/s/3x3x3x2xi8/3x3x2x2xi8/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=TWO
// RUN: mutate 's/ip_version/machine.set = ["features.hrc_filters_3_3=1"], ip_version/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=FILTERS
// RUN: mutate 's/ip_version/machine.set = ["features.hrc_filters_3_3=2"], ip_version/' %S/inputs/akida_image.mlir | nopt - -o /dev/null
// NINE:      error[AKI003]: the kernel has a size that the device does not compute
// NINE-NEXT:   at: akida.input_convolutional "c1"
// NINE-NEXT:   expected: square, odd, 3 to 7 (akida/akd1000, features.hrc_kernel: {{.*}})
// NINE-NEXT:   found: 9 x 9
// NINE-NEXT:   help: nopt check FILE --target auto
// NINE-NEXT:   note: replace the layer by several with smaller kernels
// POINT:      error[AKI003]: the kernel has a size that the device does not compute
// POINT-NEXT:   at: akida.input_convolutional "c1"
// POINT-NEXT:   expected: square, odd, 3 to 7 (akida/akd1000, features.hrc_kernel: {{.*}})
// POINT-NEXT:   found: 1 x 1
// POINT-NEXT:   help: nopt check FILE --target auto
// POINT-NEXT:   note: replace the layer by several with smaller kernels
// STRIDE:      error[AKI003]: the stride is larger than the device computes
// STRIDE-NEXT:   at: akida.input_convolutional "c1"
// STRIDE-NEXT:   expected: at most 3 (akida/akd1000, features.hrc_stride: {{.*}})
// STRIDE-NEXT:   found: 4 x 4
// STRIDE-NEXT:   help: nopt check FILE --target auto
// STRIDE-NEXT:   note: use a smaller stride, then a pool
// TWO:      error[AKI003]: the input has a number of channels that the block does not read
// TWO-NEXT:   at: akida.input_convolutional "c1"
// TWO-NEXT:   expected: 1 or 3 channels (akida/akd1000, features.hrc_channels: {{.*}})
// TWO-NEXT:   found: 2
// TWO-NEXT:   help: nopt check FILE --target auto
// TWO-NEXT:   note: give the input convolution an image with one or three channels
// FILTERS:      error[AKI003]: the input convolution has more filters than the block holds
// FILTERS-NEXT:   at: akida.input_convolutional "c1"
// FILTERS-NEXT:   expected: at most 1 filters (akida/akd1000, features.hrc_filters_3_3: {{.*}})
// FILTERS-NEXT:   found: 2
// FILTERS-NEXT:   help: nopt check FILE --target auto
// FILTERS-NEXT:   note: give the first layer fewer filters

// Its image has at most 256 columns and at least 5 x 5 elements, and the height of the kernel.
// RUN: mutate 's/ip_version/machine.set = ["features.hrc_width=8"], ip_version/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WIDE
// RUN: mutate 's/ip_version/machine.set = ["features.hrc_width=9"], ip_version/' %S/inputs/akida_image.mlir | nopt - -o /dev/null
// RUN: mutate 's/ip_version/machine.set = ["features.hrc_least_size=9"], ip_version/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SMALL
// RUN: mutate 's/ip_version/machine.set = ["features.hrc_least_size=8"], ip_version/' %S/inputs/akida_image.mlir | nopt - -o /dev/null
// WIDE:      error[AKI003]: the image is wider than a line of the block
// WIDE-NEXT:   at: akida.input_convolutional "c1"
// WIDE-NEXT:   expected: a width of at most 8 (akida/akd1000, features.hrc_width: {{.*}})
// WIDE-NEXT:   found: 9
// WIDE-NEXT:   help: nopt check FILE --target auto
// WIDE-NEXT:   note: scale the image down, or exchange height and width
// SMALL:      error[AKI003]: the image is smaller than the block reads
// SMALL-NEXT:   at: akida.input_convolutional "c1"
// SMALL-NEXT:   expected: at least 9 along each axis (akida/akd1000, features.hrc_least_size: {{.*}})
// SMALL-NEXT:   found: 8 x 9
// SMALL-NEXT:   help: nopt check FILE --target auto
// SMALL-NEXT:   note: pad the image

// Its pool has the stride of its size, at most 2 x 2, and leaves 2 columns; it adds no map, and has an activation.
// RUN: mutate '/"c1"/s/"none"/"max", pool_size = #nopt.array<[3, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[3, 3] : tensor<2xi32>>/' '/"fc" of/s/\[8, 9, 2\]/[3, 3, 2]/' 's/1x1x144x2/1x1x18x2/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POOL
// RUN: mutate '/"c1"/s/"none"/"max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=OVERLAP
// RUN: mutate 's/ip_version/machine.set = ["features.hrc_least_columns=8"], ip_version/' '/"c1"/s/"same"/"valid"/' '/"fc" of/s/\[8, 9, 2\]/[6, 7, 2]/' 's/1x1x144x2/1x1x84x2/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=COLUMNS
// RUN: mutate '/"c1"/s/"none"/"average"/' '/"fc" of/s/\[8, 9, 2\]/[1, 1, 2]/' 's/1x1x144x2/1x1x2x2/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=AVERAGE
// RUN: mutate '/akida.fully/,/^    }/d' 's/of "fc"/of "n1"/' 's/tensor<2xi32>$/tensor<2x8x9xi32>/' '/"c1"/s/, act_bits = 4 : i64, threshold = #nopt.array<\[0, 1\] : tensor<2xi32>>, act_step = #nopt.array<\[1.0, 0.5\] : tensor<2xf32>>//' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POTENTIALS
// RUN: mutate '/"c1"/s/value = -128/value = 0/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=ZERO
// POOL:      error[AKI003]: the pool is larger than the device computes
// POOL-NEXT:   at: akida.input_convolutional "c1"
// POOL-NEXT:   expected: at most 2 x 2 (akida/akd1000, features.hrc_pool: {{.*}})
// POOL-NEXT:   found: 3 x 3
// POOL-NEXT:   help: nopt check FILE --target auto
// POOL-NEXT:   note: pool by 2 x 2, or compile for a device with larger pools
// OVERLAP:      error[AKI003]: pools of the input block overlap
// OVERLAP-NEXT:   at: akida.input_convolutional "c1"
// OVERLAP-NEXT:   expected: a stride of 2 x 2, that of the pool (akida/akd1000, features.hrc_equal_pools: {{.*}})
// OVERLAP-NEXT:   found: 1 x 1
// OVERLAP-NEXT:   help: nopt check FILE --target auto
// OVERLAP-NEXT:   note: make the stride of the pool equal to its size
// COLUMNS:      error[AKI003]: the result of the input block is too narrow
// COLUMNS-NEXT:   at: akida.input_convolutional "c1"
// COLUMNS-NEXT:   expected: at least 8 columns of the result (akida/akd1000, features.hrc_least_columns: {{.*}})
// COLUMNS-NEXT:   found: 7
// COLUMNS-NEXT:   help: nopt check FILE --target auto
// COLUMNS-NEXT:   note: use a smaller stride, or an image with more columns
// AVERAGE:      error[AKI003]: the block of the input convolution does not add a whole map
// AVERAGE-NEXT:   at: akida.input_convolutional "c1"
// AVERAGE-NEXT:   expected: max pooling or none (akida/akd1000, features.hrc_pool: {{.*}})
// AVERAGE-NEXT:   found: average
// AVERAGE-NEXT:   help: nopt check FILE --target auto
// AVERAGE-NEXT:   note: add a convolution before the sum
// POTENTIALS:      error[AKI003]: the input block has no activation
// POTENTIALS-NEXT:   at: akida.input_convolutional "c1"
// POTENTIALS-NEXT:   expected: an activation of 1, 2 or 4 bits (akida/akd1000, features.hrc_activation: {{.*}})
// POTENTIALS-NEXT:   found: potentials
// POTENTIALS-NEXT:   help: nopt check FILE --target auto
// POTENTIALS-NEXT:   note: add an activation, or another layer after it
// ZERO:      error[AKI003]: all weights of a layer are 0
// ZERO-NEXT:   at: akida.input_convolutional "c1"
// ZERO-NEXT:   expected: a weight that is not 0 (akida/akd1000, features.nonzero_weights: {{.*}})
// ZERO-NEXT:   found: 0
// ZERO-NEXT:   help: nopt check FILE --target auto
// ZERO-NEXT:   note: remove the layer

// Dense layers with weights in external memory need a processor each.
// RUN: mutate 's/\[4, 1, 0\]/[1, 3, 0]/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=FNP2
// FNP2:      error[AKI005]: the processor [1, 3, 0] has no such function
// FNP2-NEXT:   at: akida.fully_connected "fc"
// FNP2-NEXT:   expected: CNP1, FNP3
// FNP2-NEXT:   found: FNP2
// FNP2-NEXT:   help: compile the network again

// Strides and pools of the block may differ along both axes; those of a processor do not.
// RUN: mutate '/"c1"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[1, 3]/' '/"fc" of/s/\[8, 9, 2\]/[8, 3, 2]/' 's/1x1x144x2/1x1x48x2/' '/FNP2/s/0, 0, 8, 9/0, 0, 8, 3/' '/FNP2/s/input_bytes = 20/input_bytes = 8/' '/FNP2/s/external_bytes = 272/external_bytes = 128/' %S/inputs/akida_image.mlir | nopt - -o /dev/null
// RUN: mutate '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[2, 1] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 1] : tensor<2xi32>>/' '/"fc" of/s/\[8, 9, 2\]/[4, 9, 2]/' 's/1x1x144x2/1x1x72x2/' '/FNP2/s/0, 0, 8, 9/0, 0, 4, 9/' '/FNP2/s/input_bytes = 20/input_bytes = 12/' '/FNP2/s/external_bytes = 272/external_bytes = 176/' %S/inputs/akida_image.mlir | nopt - -o /dev/null
// RUN: mutate '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[1, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 3] : tensor<2xi32>>/' '/"fc" of/s/\[8, 9, 2\]/[8, 3, 2]/' 's/1x1x144x2/1x1x48x2/' %S/inputs/akida_image.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=LONG
// RUN: mutate '/"c1"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[1, 2]/' '/"s2"/s/\[4, 4, 2\]/[4, 2, 2]/' '/"fc" of/s/\[4, 4, 2\]/[4, 2, 2]/' 's/1x1x32x2/1x1x16x2/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=AXES
// LONG:      error[AKI003]: the pool is larger than the device computes
// LONG-NEXT:   at: akida.input_convolutional "c1"
// LONG-NEXT:   expected: at most 2 x 2 (akida/akd1000, features.hrc_pool: {{.*}})
// LONG-NEXT:   found: 1 x 3
// AXES:      error[AKI003]: the stride differs along both axes
// AXES-NEXT:   at: akida.convolutional "c1"
// AXES-NEXT:   expected: equal along both axes (akida/akd1000, features.equal_strides: {{.*}})
// AXES-NEXT:   found: 1 x 2
