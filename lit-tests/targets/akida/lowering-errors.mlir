// A network is a chain: one input, one reader of each layer, and an activation between two layers.
// RUN: mutate 's/("x" %x: tensor<4xi1>)/("x" %x: tensor<4xi1>, "y" %y: tensor<4xi1>)/' %S/inputs/binary.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=INPUTS
// RUN: mutate 's/%fc = /%other = ntensor.linear "other" %x {weight = #nopt.array<[[1, 0, 1, 0], [0, 1, 1, 0]] : tensor<2x4xi8>>} : tensor<4xi1> -> tensor<2xi8>\n  %fc = /' %S/inputs/binary.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=BRANCH
// RUN: mutate 's/ntensor.output %fc/%joined = ntensor.sum %fc, %fc : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>\n  ntensor.output %joined/' %S/inputs/binary.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=SUM
// RUN: mutate 's/ntensor.output %fc/%more = ntensor.linear "more" %fc {weight = #nopt.array<[[1, 0], [0, 1]] : tensor<2x2xi8>>} : tensor<2xi8> -> tensor<2xi8>\n  ntensor.output %more/' %S/inputs/binary.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=POTENTIALS
// RUN: mutate '/ntensor.linear/d' 's/%fc : tensor<2xi8>/%x : tensor<4xi1>/' 's/"out": tensor<2xi8>/"out": tensor<4xi1>/' %S/inputs/binary.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=NOTHING
// INPUTS:      error[CHI014]: the network is not a chain of layers
// INPUTS-NEXT:   at: ntensor.network @binary
// INPUTS-NEXT:   expected: one input
// INPUTS-NEXT:   found: x, y
// INPUTS-NEXT:   help: nopt check - --target auto
// INPUTS-NEXT:   note: feed the network by one input
// BRANCH:      error[CHI014]: a layer is not read by exactly one layer
// BRANCH-NEXT:   at: ntensor.network @binary
// BRANCH-NEXT:   expected: one reader
// BRANCH-NEXT:   found: fc, other
// BRANCH-NEXT:   help: nopt check - --target auto
// BRANCH-NEXT:   note: make the network a chain: one layer after the other
// SUM:      error[CHI014]: a layer is not read by exactly one layer
// SUM-NEXT:   at: ntensor.linear "fc"
// SUM-NEXT:   expected: one reader
// SUM-NEXT:   found: ntensor.sum, ntensor.sum
// SUM-NEXT:   help: nopt check - --target auto
// SUM-NEXT:   note: make the network a chain: one layer after the other
// POTENTIALS:      error[CHI014]: potentials are the input of another layer
// POTENTIALS-NEXT:   at: ntensor.linear "more"
// POTENTIALS-NEXT:   expected: an activation after fc
// POTENTIALS-NEXT:   found: none
// POTENTIALS-NEXT:   help: nopt check - --target auto
// POTENTIALS-NEXT:   note: put a population with the neuron of the device between both
// NOTHING:      error[CHI014]: the network is not a chain of layers
// NOTHING-NEXT:   at: ntensor.network @binary
// NOTHING-NEXT:   expected: at least one layer
// NOTHING-NEXT:   found: none
// NOTHING-NEXT:   help: nopt check - --target auto
// NOTHING-NEXT:   note: add a layer

// A layer is made of linear maps, convolutions and pools with the padding of the device.
// RUN: mutate 's/ntensor.linear "fc" %x .* -> tensor<2xi8>/ntensor.scale "fc" %x {scale = #nopt.array<3 : tensor<i8>>} : tensor<4xi1> -> tensor<4xi8>/' 's/"out": tensor<2xi8>/"out": tensor<4xi8>/' 's/%fc : tensor<2xi8>/%fc : tensor<4xi8>/' %S/inputs/binary.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=SCALE
// RUN: mutate '/"c2"/s/\[\[1, 1\], \[1, 1\]\]/[[2, 0], [1, 1]]/' %S/inputs/plain.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=PADDING
// RUN: mutate '/"c2"/s/dilation = #nopt.array<\[1, 1\]/dilation = #nopt.array<[2, 2]/' '/"c2"/s/\[\[1, 1\], \[1, 1\]\]/[[2, 2], [2, 2]]/' %S/inputs/plain.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=DILATION
// RUN: mutate '/"p1"/s/\[\[0, 0\], \[0, 1\]\]/[[0, 0], [1, 0]]/' %S/inputs/net.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=POOLED
// SCALE:      error[CHI015]: no layer computes ntensor.scale here
// SCALE-NEXT:   at: ntensor.scale "fc"
// SCALE-NEXT:   expected: linear, conv2d, max_pool2d, sum_pool2d over the whole map, and the neuron of the device
// SCALE-NEXT:   found: ntensor.scale
// SCALE-NEXT:   help: nopt check - --target auto
// SCALE-NEXT:   note: convert the network to layers of the device first
// PADDING:      error[CHI015]: a layer has another padding than the device
// PADDING-NEXT:   at: ntensor.conv2d "c2"
// PADDING-NEXT:   expected: {{\[\[}}1, 1], [1, 1]], which keeps the size divided by the stride, or none
// PADDING-NEXT:   found: {{\[\[}}2, 0], [1, 1]]
// PADDING-NEXT:   help: nopt check - --target auto
// PADDING-NEXT:   note: set padding to {{\[\[}}1, 1], [1, 1]]
// DILATION:      error[CHI015]: no layer computes ntensor.conv2d here
// DILATION-NEXT:   at: ntensor.conv2d "c2"
// DILATION-NEXT:   expected: linear, conv2d, max_pool2d, sum_pool2d over the whole map, and the neuron of the device
// DILATION-NEXT:   found: ntensor.conv2d
// DILATION-NEXT:   help: nopt check - --target auto
// DILATION-NEXT:   note: convert the network to layers of the device first
// POOLED:      error[CHI015]: a layer has another padding than the device
// POOLED-NEXT:   at: ntensor.max_pool2d "p1"
// POOLED-NEXT:   expected: {{\[\[}}0, 0], [0, 1]], which keeps the size divided by the stride, or none
// POOLED-NEXT:   found: {{\[\[}}0, 0], [1, 0]]
// POOLED-NEXT:   help: set padding to {{\[\[}}0, 0], [0, 1]]

// Weights are integers of at most 4 bits, in the input convolution of 8; potentials without an activation have no bias; sums are not shifted.
// RUN: mutate '/"fc"/s/-7, -6/-7, -8/' %S/inputs/plain.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=WIDE
// RUN: mutate '/"fc"/s/{weight/{bias = #nopt.array<[1, 2, 3] : tensor<3xi32>>, weight/' %S/inputs/plain.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=BIAS
// RUN: mutate '/"c2"/s/{weight/{exponent = #nopt.array<1 : tensor<i32>>, weight/' %S/inputs/plain.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=SHIFT
// RUN: mutate 's/{tick_ns/{machine.device = "akida\/akd1000", tick_ns/' 's/tensor<2x4xi8>/tensor<2x4xf32>/' 's/tensor<2xi8>/tensor<2xf32>/g' %S/inputs/binary.mlir | not nopt - -p 'convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=REAL
// RUN: mutate '/"n1"/s/threshold_potential = #nopt.array<100 : tensor<i32>>/threshold_potential = #nopt.array<constant(value = 100) : tensor<2x3x3xi32>>/' %S/inputs/net.mlir | nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null
// RUN: mutate '/"n1"/s/threshold_potential = #nopt.array<100 : tensor<i32>>/threshold_potential = #nopt.array<integers(low = 0, high = 100, seed = 1) : tensor<2x3x3xi32>>/' %S/inputs/plain.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=CHANNEL
// WIDE:      error[CHI016]: weights have more bits than the layer holds
// WIDE-NEXT:   at: ntensor.linear "fc"
// WIDE-NEXT:   expected: -7 to 7 (4 bits)
// WIDE-NEXT:   found: -8 to 7
// WIDE-NEXT:   help: nopt check - --target auto
// WIDE-NEXT:   note: use weights of 4 bits
// BIAS:      error[CHI016]: potentials without an activation have a bias
// BIAS-NEXT:   at: ntensor.linear "fc"
// BIAS-NEXT:   expected: no bias
// BIAS-NEXT:   found: 1 to 3
// BIAS-NEXT:   help: nopt check - --target auto
// BIAS-NEXT:   note: remove the bias of the last layer, and add it to the output
// SHIFT:      error[CHI016]: sums are shifted
// SHIFT-NEXT:   at: ntensor.conv2d "c2"
// SHIFT-NEXT:   expected: no exponent
// SHIFT-NEXT:   found: 1
// SHIFT-NEXT:   help: nopt check - --target auto
// SHIFT-NEXT:   note: fold the exponent into the threshold and the step
// REAL:      error[CHI016]: the weights are reals
// REAL-NEXT:   at: ntensor.linear "fc"
// REAL-NEXT:   expected: integers
// REAL-NEXT:   found: numbers of float32, added as f32
// REAL-NEXT:   help: run ntensor-quantize-weights{bits=4} before ntensor-legalize
// CHANNEL:      error[CHI016]: threshold_potential differs within a channel
// CHANNEL-NEXT:   at: ntensor.neuron "n1"
// CHANNEL-NEXT:   expected: one value for each channel
// CHANNEL-NEXT:   found: several
// CHANNEL-NEXT:   help: nopt check - --target auto
// CHANNEL-NEXT:   note: give all positions of a channel the same value

// The input is unsigned, of 1, 2, 4 or 8 bits.
// RUN: mutate 's/{tick_ns/{machine.device = "akida\/akd1000", tick_ns/' 's/!ntensor.count<8>/!ntensor.graded<8>/' %S/inputs/plain.mlir | not nopt - -p 'convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=SIGNED
// RUN: mutate 's/i1>/!ntensor.count<3>>/g' %S/inputs/binary.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=THREE
// RUN: mutate 's/i1>/!ntensor.count<2>>/g' %S/inputs/binary.mlir | nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null
// SIGNED:      error[AKI013]: the input has another type
// SIGNED-NEXT:   at: ntensor.network @plain
// SIGNED-NEXT:   expected: unsigned integers of 1, 2, 4 or 8 bits: !ntensor.count<N>
// SIGNED-NEXT:   found: !ntensor.graded<8>
// SIGNED-NEXT:   help: nopt check - --target auto
// SIGNED-NEXT:   note: declare the input as a tensor of !ntensor.count<8>, or of fewer bits
// THREE:      error[AKI013]: the input has another type
// THREE-NEXT:   at: ntensor.network @binary
// THREE-NEXT:   expected: unsigned integers of 1, 2, 4 or 8 bits: !ntensor.count<N>
// THREE-NEXT:   found: !ntensor.count<3>
// THREE-NEXT:   help: nopt check - --target auto
// THREE-NEXT:   note: declare the input as a tensor of !ntensor.count<8>, or of fewer bits
// Version 1 reads 8 bits with a convolution alone.
// RUN: mutate 's/i1>/!ntensor.count<8>>/g' %S/inputs/binary.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=DENSE
// DENSE:      error[AKI013]: the first layer does not read inputs of 8 bits
// DENSE-NEXT:   at: ntensor.linear "fc"
// DENSE-NEXT:   expected: a convolution, or an input of at most 4 bits
// DENSE-NEXT:   found: another layer
// DENSE-NEXT:   help: nopt check - --target auto
// DENSE-NEXT:   note: declare the input as a tensor of !ntensor.count<4>, or put a convolution before the layer

// Populations are those of the device.
// RUN: mutate 's/{tick_ns/{machine.device = "akida\/akd1000", tick_ns/' 's/ntensor.let "y"/ntensor.let "z"/' %S/inputs/plain.mlir | not nopt - -p 'convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER:      error[CHI013]: the neurons are not those of the chip
// OTHER-NEXT:   at: ntensor.neuron "n1"
// OTHER-NEXT:   expected: a neuron of akida/akd1000: akida, akida_spike
// OTHER-NEXT:   found: @akida.four
// OTHER-NEXT:   help: nopt - -p 'ntensor-set-neuron-model{to=akida/akd1000},convert-ntensor-to-akida' -o {{.*}}null

// Dense layers whose weights exceed a processor have external memory. AKD1500 has one such processor. fc1 takes 40 bytes, fc2 80.
// RUN: not nopt %S/inputs/dense.mlir -p 'ntensor-legalize{device=akida/akd1500 set="features.dense_bytes=10"},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: nopt %S/inputs/dense.mlir -p 'ntensor-legalize{device=akida/akd1500 set="features.dense_bytes=50"},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null
// LARGE:      error[AKI008]: the device has too few processors for dense layers with external weights
// LARGE-NEXT:   at: akida.fully_connected "fc2"
// LARGE-NEXT:   expected: at most 0 processors of type FNP2 for this layer (akida/akd1500, core_kinds.fnp2)
// LARGE-NEXT:   found: 1
// LARGE-NEXT:   help: nopt check {{.*}}dense.mlir --target auto
// LARGE-NEXT:   note: make layers smaller, narrow their weights, or compile for a device with more processors

// A layer that learns has weights of 0 and 1. One bit of the symmetric grid is -1 and 1; the pass of the help makes 0 and 1, and then the layer learns.
// RUN: rm -rf %t.learns && not nopt compile %S/inputs/spikes.mlir --dt 1ms --like euler --target akida --set preferences.num_weights=2 --passes 'ntensor-quantize-weights{bits=1 per=neuron}' -o %t.learns 2>&1 | filecheck %s --check-prefix=SIGNS
// RUN: nopt compile %S/inputs/spikes.mlir --dt 1ms --like euler --target akida --set preferences.num_weights=2 --passes 'ntensor-quantize-weights{bits=1 per=neuron},ntensor-quantize-weights{bits=1 per=neuron grid=unsigned nodes=fc}' -o %t.learns
// RUN: filecheck %s --check-prefix=ZEROS < %t.learns/ir/06-convert-ntensor-to-akida.mlir
// RUN: mutate 's/\[\[1, 0, 1, 0\]/[[1, 0, -1, 0]/' %S/inputs/binary.mlir | not nopt - -p 'ntensor-legalize{device=akida/akd1000 set="preferences.num_weights=2"},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s --check-prefix=INTEGERS
// SIGNS:      error[AKI009]: only weights of 1 bit learn, which are 0 and 1
// SIGNS-NEXT:   at: ntensor.linear "fc"
// SIGNS-NEXT:   expected: weights of 0 and 1
// SIGNS-NEXT:   found: 2 bits: -1 to 1
// SIGNS-NEXT:   help: nopt compile {{.*}}spikes.mlir --dt 1ms --like euler --target akida --set preferences.num_weights=2 --passes 'ntensor-quantize-weights{bits=1 per=neuron grid=unsigned nodes=fc},ntensor-quantize-weights{bits=1 per=neuron}' -o {{.*}}lowering-errors.mlir.tmp.learns
// ZEROS: akida.fully_connected "fc" of "th" attributes {{{.*}}weights_bits = 1 : i64
// INTEGERS:      error[AKI009]: only weights of 1 bit learn, which are 0 and 1
// INTEGERS-NEXT:   at: ntensor.linear "fc"
// INTEGERS-NEXT:   expected: weights of 0 and 1
// INTEGERS-NEXT:   found: 2 bits: -1 to 1
// INTEGERS-NEXT:   help: compile the network with --set preferences.num_weights=0

// Parameters of learning must fit to the layer. Without them it keeps its weights.
// RUN: rm -rf %t.many && exits 1 nopt compile %S/inputs/binary.mlir --target akida --set preferences.num_weights=5 -o %t.many 2>&1 | filecheck %s --check-prefix=MANY
// RUN: rm -rf %t.four && nopt compile %S/inputs/binary.mlir --target akida --set preferences.num_weights=4 -o %t.four
// MANY:      error[AKI009]: num_weights is out of range
// MANY-NEXT:   at: akida.fully_connected "fc"
// MANY-NEXT:   expected: 1 to 4
// MANY-NEXT:   found: 5
// MANY-NEXT:   help: nopt compile {{.*}}binary.mlir --target akida --set preferences.num_weights=0 -o {{.*}}lowering-errors.mlir.tmp.many
