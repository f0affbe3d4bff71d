// Layers form one sequence, which reads the input of the network.
// RUN: sed '/akida.conv/,/^    }/d; /akida.sep/,/^    }/d; /akida.fully/,/^    }/d; /akida.output/d' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=EMPTY
// RUN: sed 's/"s2" of/"c1" of/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: sed '/"s2"/s/\[4, 4, 2\]/[4, 3, 2]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SHAPE
// RUN: sed '/"fc" of/s/\[4, 4, 2\]/[1, 1, 32]/; /FNP3/s/0, 0, 4, 4/0, 0, 1, 1/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: sed '/"s2"/s/, act_bits = 1 : i64, threshold = #nopt.array<\[0, 1\] : tensor<2xi32>>, act_step = #nopt.array<\[1.0, 1.0\] : tensor<2xf32>>//' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POTENTIALS
// RUN: sed '/akida.input_data/d' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NOINPUT
// RUN: sed 's/"out" of "fc"/"out" of "n2"/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=OUTPUT
// RUN: sed 's/tensor<2xi32>$/tensor<3xi32>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SIZE
// EMPTY:      error[AKI002]: a model has no layer
// EMPTY-NEXT:   at: akida.model @net
// EMPTY-NEXT:   expected: at least one layer
// EMPTY-NEXT:   found: none
// EMPTY-NEXT:   help: compile the network again
// TWICE:      error[AKI002]: two layers have the same name
// TWICE-NEXT:   at: akida.model @net
// TWICE-NEXT:   expected: each name once
// TWICE-NEXT:   found: c1
// TWICE-NEXT:   help: compile the network again
// SHAPE:      error[AKI002]: a layer reads another map than the layer before produces
// SHAPE-NEXT:   at: akida.separable_convolutional "s2"
// SHAPE-NEXT:   expected: [4, 4, 2]
// SHAPE-NEXT:   found: [4, 3, 2]
// SHAPE-NEXT:   help: compile the network again
// POTENTIALS:      error[AKI002]: potentials of a layer are the input of another one
// POTENTIALS-NEXT:   at: akida.separable_convolutional "s2"
// POTENTIALS-NEXT:   expected: act_bits of 1, 2 or 4
// POTENTIALS-NEXT:   found: a layer without activation
// POTENTIALS-NEXT:   help: compile the network again
// NOINPUT:      error[AKI002]: the input of a model is read by an input convolution or by akida.input_data
// NOINPUT-NEXT:   at: akida.model @net
// NOINPUT-NEXT:   expected: one of them
// NOINPUT-NEXT:   found: neither
// NOINPUT-NEXT:   help: compile the network again
// OUTPUT:      error[AKI002]: an output is not that of the last layer
// OUTPUT-NEXT:   at: akida.output "out"
// OUTPUT-NEXT:   expected: fc
// OUTPUT-NEXT:   found: n2
// OUTPUT-NEXT:   help: compile the network again
// SIZE:      error[AKI002]: the type of an output differs from its layer
// SIZE-NEXT:   at: akida.output "out"
// SIZE-NEXT:   expected: 2
// SIZE-NEXT:   found: 3
// SIZE-NEXT:   help: compile the network again

// A processor computes square kernels of 1, 3, 5 or 7; those of separable layers are 3 or more.
// RUN: sed '/"c1"/s/weights = #nopt.array<\[\[\[\[7, -7\], \[1, 0\]\]\]\] : tensor<1x1x2x2xi8>>/weights = #nopt.array<constant(value = 1) : tensor<9x9x2x2xi8>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NINE
// RUN: sed '/"c1"/s/weights = #nopt.array<\[\[\[\[7, -7\], \[1, 0\]\]\]\] : tensor<1x1x2x2xi8>>/weights = #nopt.array<constant(value = 1) : tensor<2x2x2x2xi8>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=EVEN
// RUN: sed '/"s2"/s/tensor<3x3x2x1xi8>/tensor<1x1x2x1xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POINT
// RUN: sed '/"s2"/s/tensor<3x3x2x1xi8>/tensor<3x5x2x1xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=UNEQUAL
// NINE:      error[AKI003]: the kernel has a size that the device does not compute
// NINE-NEXT:   at: akida.convolutional "c1"
// NINE-NEXT:   expected: square, odd, 1 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// NINE-NEXT:   found: 9 x 9
// NINE-NEXT:   help: replace the layer by several with smaller kernels
// EVEN:      error[AKI003]: the kernel has a size that the device does not compute
// EVEN-NEXT:   at: akida.convolutional "c1"
// EVEN-NEXT:   expected: square, odd, 1 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// EVEN-NEXT:   found: 2 x 2
// EVEN-NEXT:   help: replace the layer by several with smaller kernels
// POINT:      error[AKI003]: the kernel has a size that the device does not compute
// POINT-NEXT:   at: akida.separable_convolutional "s2"
// POINT-NEXT:   expected: square, odd, 3 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// POINT-NEXT:   found: 1 x 1
// POINT-NEXT:   help: replace the layer by several with smaller kernels
// UNEQUAL:      error[AKI003]: the kernel has a size that the device does not compute
// UNEQUAL-NEXT:   at: akida.separable_convolutional "s2"
// UNEQUAL-NEXT:   expected: square, odd, 3 to 7 (akida/akd1000, features.cnp_kernel: {{.*}})
// UNEQUAL-NEXT:   found: 3 x 5
// UNEQUAL-NEXT:   help: replace the layer by several with smaller kernels

// A stride is 1, or 2 with a kernel of 3 x 3, and equal along both axes.
// RUN: sed '/"s2"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[3, 3]/; /"fc" of/s/\[4, 4, 2\]/[2, 2, 2]/; s/tensor<1x1x32x2xi8>/tensor<1x1x8x2xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=THREE
// RUN: sed '/"s2"/s/tensor<3x3x2x1xi8>/tensor<5x5x2x1xi8>/; /"s2"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[2, 2]/; /"fc" of/s/\[4, 4, 2\]/[2, 2, 2]/; s/tensor<1x1x32x2xi8>/tensor<1x1x8x2xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STRIDED
// RUN: sed '/"s2"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[1, 2]/; /"fc" of/s/\[4, 4, 2\]/[4, 2, 2]/; s/tensor<1x1x32x2xi8>/tensor<1x1x16x2xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=AXES
// THREE:      error[AKI003]: the stride is larger than the device computes
// THREE-NEXT:   at: akida.separable_convolutional "s2"
// THREE-NEXT:   expected: at most 2 (akida/akd1000, features.cnp_stride: {{.*}})
// THREE-NEXT:   found: 3 x 3
// THREE-NEXT:   help: use a stride of 2, or a pool
// STRIDED:      error[AKI003]: a stride requires another kernel
// STRIDED-NEXT:   at: akida.separable_convolutional "s2"
// STRIDED-NEXT:   expected: a kernel of 3 x 3 (akida/akd1000, features.cnp_strided_kernel: {{.*}})
// STRIDED-NEXT:   found: 5 x 5
// STRIDED-NEXT:   help: use a kernel of 3 x 3
// AXES:      error[AKI003]: the stride differs along both axes
// AXES-NEXT:   at: akida.separable_convolutional "s2"
// AXES-NEXT:   expected: equal along both axes (akida/akd1000, features.equal_strides: {{.*}})
// AXES-NEXT:   found: 1 x 2
// AXES-NEXT:   help: make the stride equal

// Convolutions are padded; pools of 2 x 2 at most, of the input at most, and before another convolution.
// RUN: sed '/"c1"/s/"same"/"valid"/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=VALID
// RUN: sed '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[3, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: sed '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: sed 's/akd1000/akd1500/; s/\[3, 1, 2\]/[1, 2, 1]/; s/\[3, 1, 3\]/[1, 2, 2]/; /"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[3, 3] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: sed '/"s2"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[1, 1] : tensor<2xi32>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=DENSE
// RUN: sed '/"s2"/s/pool_type = "none"/pool_type = "average"/; /"fc" of/s/\[4, 4, 2\]/[1, 1, 2]/; s/tensor<1x1x32x2xi8>/tensor<1x1x2x2xi8>/; /FNP3/s/0, 0, 4, 4/0, 0, 1, 1/; s/weight_bytes = 40/weight_bytes = 40/' %S/inputs/akida.mlir | nopt - -o /dev/null
// VALID:      error[AKI003]: a processor pads every map
// VALID-NEXT:   at: akida.convolutional "c1"
// VALID-NEXT:   expected: padding same (akida/akd1000, features.cnp_same_padding: {{.*}})
// VALID-NEXT:   found: valid
// VALID-NEXT:   help: ntensor-quantize-inputs{kind=count bits=8}, which makes an input convolution of it
// LARGE:      error[AKI003]: the pool is larger than the device computes
// LARGE-NEXT:   at: akida.convolutional "c1"
// LARGE-NEXT:   expected: at most 2 x 2 (akida/akd1000, features.cnp_pool: {{.*}})
// LARGE-NEXT:   found: 3 x 3
// LARGE-NEXT:   help: pool by 2 x 2, or compile for a device with larger pools
// DENSE:      error[AKI003]: a layer with max pooling is not followed by a convolution
// DENSE-NEXT:   at: akida.separable_convolutional "s2"
// DENSE-NEXT:   expected: a convolution after it (akida/akd1000, features.pooled_last: {{.*}})
// DENSE-NEXT:   found: FullyConnected after it
// DENSE-NEXT:   help: pool by a stride, by a sum of the whole map, or before another convolution

// Weights of a processor have at most 4 bits, of separable layers at least 2; thresholds have 20 bits, and steps are from 1/16 to below 65536.
// RUN: sed '/"c1"/s/weights_bits = 4/weights_bits = 8/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=EIGHT
// RUN: sed '/"s2"/s/weights_bits = 2/weights_bits = 1/; /"s2"/s/-1/1/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=ONE
// RUN: sed 's/\[5, -3\]/[524288, -3]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=THRESHOLD
// RUN: sed 's/\[5, -3\]/[524287, -524288]/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: sed 's/\[1.0, 0.0625\]/[65536.0, 0.0625]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STEP
// RUN: sed 's/\[1.0, 0.0625\]/[65535.0, 0.0625]/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: sed '/"s2"/s/constant(value = 1)/constant(value = 0)/; /"s2"/s/\[\[\[\[1, -1\], \[0, 1\]\]\]\]/[[[[0, 0], [0, 0]]]]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=ZERO
// EIGHT:      error[AKI004]: the weights have more bits than a processor has
// EIGHT-NEXT:   at: akida.convolutional "c1"
// EIGHT-NEXT:   expected: at most 4 bits (akida/akd1000, features.cnp_bits: {{.*}})
// EIGHT-NEXT:   found: 8 bits
// EIGHT-NEXT:   help: quantize the weights of the layer to 4 bits
// ONE:      error[AKI004]: separable weights have too few bits
// ONE-NEXT:   at: akida.separable_convolutional "s2"
// ONE-NEXT:   expected: at least 2 bits (akida/akd1000, features.separable_least_bits: {{.*}})
// ONE-NEXT:   found: 1
// ONE-NEXT:   help: store the weights with 2 bits
// THRESHOLD:      error[AKI004]: thresholds exceed their register
// THRESHOLD-NEXT:   at: akida.convolutional "c1"
// THRESHOLD-NEXT:   expected: -524288..524287: 20 bits (akida/akd1000, features.threshold_bits: {{.*}})
// THRESHOLD-NEXT:   found: -3 to 524288
// THRESHOLD-NEXT:   help: make weights or bias smaller
// STEP:      error[AKI004]: steps exceed their register
// STEP-NEXT:   at: akida.convolutional "c1"
// STEP-NEXT:   expected: 0.0625 to below 65536 (akida/akd1000, features.most_act_step: {{.*}})
// STEP-NEXT:   found: 65536
// STEP-NEXT:   help: scale the weights of the layer, and its threshold and step with them
// ZERO:      error[AKI003]: all weights of a layer are 0
// ZERO-NEXT:   at: akida.separable_convolutional "s2"
// ZERO-NEXT:   expected: a weight that is not 0 (akida/akd1000, features.nonzero_weights: {{.*}})
// ZERO-NEXT:   found: 0
// ZERO-NEXT:   help: remove the layer

// A processor exists, has the function, and computes one part.
// RUN: sed 's/\[3, 1, 2\]/[1, 1, 2]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NONE
// RUN: sed 's/\[3, 1, 2\]/[3, 1, 0]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=DMA
// RUN: sed 's/\[1, 3, 0\]/[1, 3, 1]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=FNP
// RUN: sed 's/"FNP3"/"CNP1"/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=KIND
// RUN: sed 's/\[3, 1, 3\]/[3, 1, 2]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SAME
// RUN: sed 's/\[3, 1, 3\]/[1, 3, 1]/' %S/inputs/akida.mlir | nopt - -o /dev/null
// NONE:      error[AKI005]: akida/akd1000 has no such processor
// NONE-NEXT:   at: akida.convolutional "c1"
// NONE-NEXT:   expected: column, row and number of an NP
// NONE-NEXT:   found: [1, 1, 2]
// NONE-NEXT:   help: compile the network again
// DMA:      error[AKI005]: akida/akd1000 has no such processor
// DMA-NEXT:   at: akida.convolutional "c1"
// DMA-NEXT:   expected: column, row and number of an NP
// DMA-NEXT:   found: [3, 1, 0]
// DMA-NEXT:   help: compile the network again
// FNP:      error[AKI005]: the processor [1, 3, 1] has no such function
// FNP-NEXT:   at: akida.fully_connected "fc"
// FNP-NEXT:   expected: CNP1
// FNP-NEXT:   found: FNP3
// FNP-NEXT:   help: compile the network again
// KIND:      error[AKI005]: the function does not compute this layer
// KIND-NEXT:   at: akida.fully_connected "fc"
// KIND-NEXT:   expected: FNP3 or FNP2
// KIND-NEXT:   found: CNP1
// KIND-NEXT:   help: compile the network again
// SAME:      error[AKI005]: two parts use the processor [3, 1, 2]
// SAME-NEXT:   at: akida.separable_convolutional "s2"
// SAME-NEXT:   expected: a part on each
// SAME-NEXT:   found: n1 and n2
// SAME-NEXT:   help: compile the network again

// The parts of a layer are all of it, with the memory that they take, within that of a processor.
// RUN: sed '/CNP1.*3, 1, 2/s/\[0, 2\]/[0, 1]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=PART
// RUN: sed '/CNP1.*3, 1, 2/s/\[0, 2\]/[1, 2]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BEYOND
// RUN: sed 's/weight_bytes = 200/weight_bytes = 100/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BYTES
// RUN: sed 's/ip_version/machine.set = ["core.memory.weights.bytes=199", "core.memory_bytes=43207"], ip_version/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WEIGHTS
// RUN: sed 's/ip_version/machine.set = ["core.memory.weights.bytes=200", "core.memory_bytes=43208"], ip_version/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: sed 's/ip_version/machine.set = ["core.memory.input.bytes=15", "core.memory_bytes=44815"], ip_version/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=INPUT
// RUN: sed 's/ip_version/machine.set = ["core.memory.input.bytes=16", "core.memory_bytes=44816"], ip_version/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: sed 's/ip_version/machine.set = ["features.dense_bytes=39"], ip_version/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=UNITS
// RUN: sed 's/ip_version/machine.set = ["features.dense_bytes=40"], ip_version/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: sed 's/ip_version/machine.set = ["features.dense_inputs=31"], ip_version/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=INPUTS
// RUN: sed 's/ip_version/machine.set = ["features.dense_inputs=32"], ip_version/' %S/inputs/akida.mlir | nopt - -o /dev/null
// PART:      error[AKI007]: the processors do not compute all of a layer
// PART-NEXT:   at: akida.convolutional "c1"
// PART-NEXT:   expected: 2 filters at 4 x 4 positions, each once
// PART-NEXT:   found: 16 of 32
// PART-NEXT:   help: compile the network again
// BEYOND:      error[AKI007]: the processors do not compute all of a layer
// BEYOND-NEXT:   at: akida.convolutional "c1"
// BEYOND-NEXT:   expected: 2 filters at 4 x 4 positions, each once
// BEYOND-NEXT:   found: 32 of 32
// BEYOND-NEXT:   help: compile the network again
// BYTES:      error[AKI006]: the memory of a part differs from its contents
// BYTES-NEXT:   at: akida.convolutional "c1"
// BYTES-NEXT:   expected: 16, 200, 0 bytes
// BYTES-NEXT:   found: 16, 100, 0 bytes
// BYTES-NEXT:   help: compile the network again
// WEIGHTS:      error[AKI006]: the weights of a part exceed the memory of its processor
// WEIGHTS-NEXT:   at: akida.convolutional "c1"
// WEIGHTS-NEXT:   expected: at most 199 bytes (akida/akd1000, core.memory.weights.bytes: {{.*}})
// WEIGHTS-NEXT:   found: 200 bytes
// WEIGHTS-NEXT:   help: compile the network again
// INPUT:      error[AKI006]: the input of a part exceed the memory of its processor
// INPUT-NEXT:   at: akida.convolutional "c1"
// INPUT-NEXT:   expected: at most 15 bytes (akida/akd1000, core.memory.input.bytes: {{.*}})
// INPUT-NEXT:   found: 16 bytes
// INPUT-NEXT:   help: compile the network again
// UNITS:      error[AKI006]: the weights of a part exceed the memory of its processor
// UNITS-NEXT:   at: akida.fully_connected "fc"
// UNITS-NEXT:   expected: at most 39 bytes (akida/akd1000, features.dense_bytes: {{.*}})
// UNITS-NEXT:   found: 40 bytes
// UNITS-NEXT:   help: compile the network again
// INPUTS:      error[AKI003]: a dense layer has more inputs than a processor reads
// INPUTS-NEXT:   at: akida.fully_connected "fc"
// INPUTS-NEXT:   expected: at most 31 inputs (akida/akd1000, features.dense_inputs: {{.*}})
// INPUTS-NEXT:   found: 32
// INPUTS-NEXT:   help: pool the map before the layer, or compile for a device with more inputs

// Learning: 1 bit of input and weights, at most as many connections as inputs, units divided by the classes.
// RUN: sed '/"fc" of/s/weights_bits/learning = #nopt.array<[32.0, 2.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: sed '/"fc" of/s/weights_bits/learning = #nopt.array<[33.0, 2.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=CONNECTIONS
// RUN: sed '/"fc" of/s/weights_bits/learning = #nopt.array<[3.0, 3.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=CLASSES
// RUN: sed '/"fc" of/s/weights_bits/learning = #nopt.array<[3.0, 2.0, 1.5, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=RANGE
// RUN: sed '/"fc" of/s/weights_bits = 1/learning = #nopt.array<[3.0, 2.0, 1.0, 0.0, 0.125, 0.25] : tensor<6xf32>>, weights_bits = 2/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WIDE
// CONNECTIONS:      error[AKI009]: num_weights is out of range
// CONNECTIONS-NEXT:   at: akida.fully_connected "fc"
// CONNECTIONS-NEXT:   expected: 1 to 32
// CONNECTIONS-NEXT:   found: 33
// CONNECTIONS-NEXT:   help: change the parameters of learning, or remove them
// CLASSES:      error[AKI009]: the units are not divided evenly between the classes
// CLASSES-NEXT:   at: akida.fully_connected "fc"
// CLASSES-NEXT:   expected: a divisor of 2
// CLASSES-NEXT:   found: 3 classes
// CLASSES-NEXT:   help: change the parameters of learning, or remove them
// RANGE:      error[AKI009]: initial_plasticity is out of range
// RANGE-NEXT:   at: akida.fully_connected "fc"
// RANGE-NEXT:   expected: 0 to 1
// RANGE-NEXT:   found: 1.5
// RANGE-NEXT:   help: change the parameters of learning, or remove them
// WIDE:      error[AKI009]: only weights of 1 bit learn
// WIDE-NEXT:   at: akida.fully_connected "fc"
// WIDE-NEXT:   expected: weights_bits = 1
// WIDE-NEXT:   found: 2
// WIDE-NEXT:   help: change the parameters of learning, or remove them
