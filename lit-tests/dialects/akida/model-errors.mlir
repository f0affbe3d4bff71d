// A processor computes square kernels of 1, 3, 5 or 7; those of separable layers are 3 or more.
// RUN: mutate '/"c1"/s/weights = #nopt.array<\[\[\[\[7, -7\], \[1, 0\]\]\]\] : tensor<1x1x2x2xi8>>/weights = #nopt.array<constant(value = 1) : tensor<9x9x2x2xi8>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NINE
// RUN: mutate '/"c1"/s/weights = #nopt.array<\[\[\[\[7, -7\], \[1, 0\]\]\]\] : tensor<1x1x2x2xi8>>/weights = #nopt.array<constant(value = 1) : tensor<2x2x2x2xi8>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=EVEN
// RUN: mutate '/"s2"/s/tensor<3x3x2x1xi8>/tensor<1x1x2x1xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POINT
// RUN: mutate '/"s2"/s/tensor<3x3x2x1xi8>/tensor<3x5x2x1xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=UNEQUAL
// NINE:      error[AKI003]: the kernel has a size that the device does not compute
// NINE-NEXT:   at: akida.convolutional "c1"
// NINE-NEXT:   expected: square, odd, 1 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// NINE-NEXT:   found: 9 x 9
// NINE-NEXT:   help: nopt check FILE --target auto
// NINE-NEXT:   note: replace the layer by several with smaller kernels
// EVEN:      error[AKI003]: the kernel has a size that the device does not compute
// EVEN-NEXT:   at: akida.convolutional "c1"
// EVEN-NEXT:   expected: square, odd, 1 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// EVEN-NEXT:   found: 2 x 2
// EVEN-NEXT:   help: nopt check FILE --target auto
// EVEN-NEXT:   note: replace the layer by several with smaller kernels
// POINT:      error[AKI003]: the kernel has a size that the device does not compute
// POINT-NEXT:   at: akida.separable_convolutional "s2"
// POINT-NEXT:   expected: square, odd, 3 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// POINT-NEXT:   found: 1 x 1
// POINT-NEXT:   help: nopt check FILE --target auto
// POINT-NEXT:   note: replace the layer by several with smaller kernels
// UNEQUAL:      error[AKI003]: the kernel has a size that the device does not compute
// UNEQUAL-NEXT:   at: akida.separable_convolutional "s2"
// UNEQUAL-NEXT:   expected: square, odd, 3 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// UNEQUAL-NEXT:   found: 3 x 5
// UNEQUAL-NEXT:   help: nopt check FILE --target auto
// UNEQUAL-NEXT:   note: replace the layer by several with smaller kernels

// A stride is 1, or 2 with a kernel of 3 x 3, and equal along both axes.
// RUN: mutate '/"s2"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[3, 3]/' '/"fc" of/s/\[4, 4, 2\]/[2, 2, 2]/' 's/tensor<1x1x32x2xi8>/tensor<1x1x8x2xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=THREE
// RUN: mutate '/"s2"/s/tensor<3x3x2x1xi8>/tensor<5x5x2x1xi8>/' '/"s2"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[2, 2]/' '/"fc" of/s/\[4, 4, 2\]/[2, 2, 2]/' 's/tensor<1x1x32x2xi8>/tensor<1x1x8x2xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STRIDED
// RUN: mutate '/"s2"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[1, 2]/' '/"fc" of/s/\[4, 4, 2\]/[4, 2, 2]/' 's/tensor<1x1x32x2xi8>/tensor<1x1x16x2xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=AXES
// THREE:      error[AKI003]: the stride is larger than the device computes
// THREE-NEXT:   at: akida.separable_convolutional "s2"
// THREE-NEXT:   expected: at most 2 (akida/akd1000, features.cnp_stride: {{.*}})
// THREE-NEXT:   found: 3 x 3
// THREE-NEXT:   help: nopt check FILE --target auto
// THREE-NEXT:   note: use a stride of 2, or a pool
// STRIDED:      error[AKI003]: a stride requires another kernel
// STRIDED-NEXT:   at: akida.separable_convolutional "s2"
// STRIDED-NEXT:   expected: a kernel of 3 x 3 (akida/akd1000, features.cnp_strided_kernel: {{.*}})
// STRIDED-NEXT:   found: 5 x 5
// STRIDED-NEXT:   help: nopt check FILE --target auto
// STRIDED-NEXT:   note: use a kernel of 3 x 3
// AXES:      error[AKI003]: the stride differs along both axes
// AXES-NEXT:   at: akida.separable_convolutional "s2"
// AXES-NEXT:   expected: equal along both axes (akida/akd1000, features.equal_strides: {{.*}})
// AXES-NEXT:   found: 1 x 2
// AXES-NEXT:   help: nopt check FILE --target auto
// AXES-NEXT:   note: make the stride equal

// Convolutions are padded; pools of 2 x 2 at most, of the input at most, and before another convolution.
// RUN: mutate '/"c1"/s/"same"/"valid"/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=VALID
// RUN: mutate '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[3, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: mutate '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: mutate 's/akd1000/akd1500/' 's/\[3, 1, 2\]/[1, 2, 1]/' 's/\[3, 1, 3\]/[1, 2, 2]/' '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[3, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: mutate '/"s2"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=DENSE
// RUN: mutate '/"s2"/s/pool_type = "none"/pool_type = "average"/' '/"fc" of/s/\[4, 4, 2\]/[1, 1, 2]/' 's/tensor<1x1x32x2xi8>/tensor<1x1x2x2xi8>/' '/FNP3/s/0, 0, 4, 4/0, 0, 1, 1/' %S/inputs/akida.mlir | nopt - -o /dev/null
// VALID:      error[AKI003]: a processor pads every map
// VALID-NEXT:   at: akida.convolutional "c1"
// VALID-NEXT:   expected: padding same (akida/akd1000, features.cnp_same_padding: {{.*}})
// VALID-NEXT:   found: valid
// VALID-NEXT:   help: nopt check FILE --target auto
// VALID-NEXT:   note: pad the convolution so that the size of its map is kept
// LARGE:      error[AKI003]: the pool is larger than the device computes
// LARGE-NEXT:   at: akida.convolutional "c1"
// LARGE-NEXT:   expected: at most 2 x 2 (akida/akd1000, features.cnp_pool: {{.*}})
// LARGE-NEXT:   found: 3 x 3
// LARGE-NEXT:   help: nopt check FILE --target auto
// LARGE-NEXT:   note: pool by 2 x 2, or compile for a device with larger pools
// DENSE:      error[AKI003]: a layer with max pooling is not followed by a convolution
// DENSE-NEXT:   at: akida.separable_convolutional "s2"
// DENSE-NEXT:   expected: a convolution after it (akida/akd1000, features.pooled_last: {{.*}})
// DENSE-NEXT:   found: FullyConnected after it
// DENSE-NEXT:   help: nopt check FILE --target auto
// DENSE-NEXT:   note: pool by a stride, by a sum of the whole map, or before another convolution

// Weights of a processor have at most 4 bits, of separable layers at least 2; thresholds have 20 bits, and steps are from 1/16 to below 65536.
// RUN: mutate '/"c1"/s/weights_bits = 4/weights_bits = 8/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=EIGHT
// RUN: mutate '/"s2"/s/weights_bits = 2/weights_bits = 1/' '/"s2"/s/-1/1/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=ONE
// RUN: mutate 's/\[5, -3\]/[524288, -3]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=THRESHOLD
// RUN: mutate 's/\[5, -3\]/[524287, -524288]/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: mutate 's/\[1.0, 0.0625\]/[65536.0, 0.0625]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STEP
// RUN: mutate 's/\[1.0, 0.0625\]/[65535.0, 0.0625]/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: mutate '/"s2"/s/constant(value = 1)/constant(value = 0)/' '/"s2"/s/\[\[\[\[1, -1\], \[0, 1\]\]\]\]/[[[[0, 0], [0, 0]]]]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=ZERO
// EIGHT:      error[AKI004]: the weights have more bits than a processor has
// EIGHT-NEXT:   at: akida.convolutional "c1"
// EIGHT-NEXT:   expected: at most 4 bits (akida/akd1000, features.cnp_bits: {{.*}})
// EIGHT-NEXT:   found: 8 bits
// EIGHT-NEXT:   help: nopt check FILE --target auto
// EIGHT-NEXT:   note: use weights of 4 bits
// ONE:      error[AKI004]: separable weights have too few bits
// ONE-NEXT:   at: akida.separable_convolutional "s2"
// ONE-NEXT:   expected: at least 2 bits (akida/akd1000, features.separable_least_bits: {{.*}})
// ONE-NEXT:   found: 1
// ONE-NEXT:   help: nopt check FILE --target auto
// ONE-NEXT:   note: store the weights with 2 bits
// THRESHOLD:      error[AKI004]: thresholds exceed their register
// THRESHOLD-NEXT:   at: akida.convolutional "c1"
// THRESHOLD-NEXT:   expected: -524288..524287: 20 bits (akida/akd1000, features.threshold_bits: {{.*}})
// THRESHOLD-NEXT:   found: -3 to 524288
// THRESHOLD-NEXT:   help: nopt check FILE --target auto
// THRESHOLD-NEXT:   note: make weights or bias smaller
// STEP:      error[AKI004]: steps exceed their register
// STEP-NEXT:   at: akida.convolutional "c1"
// STEP-NEXT:   expected: 0.0625 to below 65536 (akida/akd1000, features.most_act_step: {{.*}})
// STEP-NEXT:   found: 65536
// STEP-NEXT:   help: nopt check FILE --target auto
// STEP-NEXT:   note: scale the weights of the layer, and its threshold and step with them
// ZERO:      error[AKI003]: all weights of a layer are 0
// ZERO-NEXT:   at: akida.separable_convolutional "s2"
// ZERO-NEXT:   expected: a weight that is not 0 (akida/akd1000, features.nonzero_weights: {{.*}})
// ZERO-NEXT:   found: 0
// ZERO-NEXT:   help: nopt check FILE --target auto
// ZERO-NEXT:   note: remove the layer

// Learning: 1 bit of input and weights, at most as many connections as inputs, units divided by the classes.
// RUN: mutate '/"fc" of/s/weights_bits/learning = #nopt.array<[32.0, 2.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: mutate '/"fc" of/s/weights_bits/learning = #nopt.array<[33.0, 2.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=CONNECTIONS
// RUN: mutate '/"fc" of/s/weights_bits/learning = #nopt.array<[3.0, 3.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=CLASSES
// RUN: mutate '/"fc" of/s/weights_bits/learning = #nopt.array<[3.0, 2.0, 1.5, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=RANGE
// RUN: mutate '/"fc" of/s/weights_bits = 1/learning = #nopt.array<[3.0, 2.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits = 2/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WIDE
// CONNECTIONS:      error[AKI009]: num_weights is out of range
// CONNECTIONS-NEXT:   at: akida.fully_connected "fc"
// CONNECTIONS-NEXT:   expected: 1 to 32
// CONNECTIONS-NEXT:   found: 33
// CONNECTIONS-NEXT:   help: compile the network with --set preferences.num_weights=0
// CLASSES:      error[AKI009]: the units are not divided evenly between the classes
// CLASSES-NEXT:   at: akida.fully_connected "fc"
// CLASSES-NEXT:   expected: a divisor of 2
// CLASSES-NEXT:   found: 3 classes
// CLASSES-NEXT:   help: compile the network with --set preferences.num_weights=0
// RANGE:      error[AKI009]: initial_plasticity is out of range
// RANGE-NEXT:   at: akida.fully_connected "fc"
// RANGE-NEXT:   expected: 0 to 1
// RANGE-NEXT:   found: 1.5
// RANGE-NEXT:   help: compile the network with --set preferences.num_weights=0
// WIDE:      error[AKI009]: only weights of 1 bit learn
// WIDE-NEXT:   at: akida.fully_connected "fc"
// WIDE-NEXT:   expected: weights_bits = 1
// WIDE-NEXT:   found: 2
// WIDE-NEXT:   help: compile the network with --set preferences.num_weights=0
