// A layer is a convolution or a dense layer, its population, and the pools of its destinations.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s

// Kernels [c, y, x] become [c, x, y]: 1, 0.5, 0, 0 is 127, 0, 64, 0 (0.5 * 127 = 63.5, to the even number). The threshold 1 is 127 in the same scale, and
// the bias 0.25 is 32. The lower bound is minus the threshold, as in sinabs. The pool becomes that of the destination.
// CHECK:      dynapcnn.configuration @net
// CHECK-NEXT:   dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 8] : tensor<3xi32>>, layers = #nopt.array<[8] : tensor<1xi32>>}
// CHECK-NEXT:   dynapcnn.cnn_layer "c1" of "n1" {layer = 8 : i64, input_shape = #nopt.array<[2, 8, 8] : tensor<3xi32>>, output_shape = #nopt.array<[2, 4, 4] : tensor<3xi32>>, weights = #nopt.array<{{\[\[\[\[}}127, 0], [64, 0]], {{\[\[}}0, 32], [0, 0]]], {{\[\[\[}}0, 0], [0, -64]], {{\[\[}}0, 0], [0, 0]]]] : tensor<2x2x2x2xi8>>, stride = #nopt.array<[2, 2] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 127 : i64, threshold_low = -127 : i64, biases = #nopt.array<[32, 0] : tensor<2xi8>>, leak_enable, destinations = #nopt.array<{{\[\[}}7, 2]] : tensor<1x2xi32>>}
// The dense layer is one position of a kernel over the pooled map of 2 x 2: 1, 0.5, 0.25, 0 by y and x are 127, 32, 64, 0 by x and y.
// CHECK-NEXT:   dynapcnn.cnn_layer "fc" of "n2" {layer = 7 : i64, input_shape = #nopt.array<[2, 2, 2] : tensor<3xi32>>, output_shape = #nopt.array<[3, 1, 1] : tensor<3xi32>>, weights = #nopt.array<[[DENSE:h[0-9a-f]*]] : tensor<3x2x2x2xi8>>, {{.*}}threshold_high = 254 : i64, threshold_low = -254 : i64, monitor_enable}
// CHECK-NEXT:   dynapcnn.output "out" of "n2" : tensor<3x!ntensor.count<32>>
// CHECK:      [[DENSE]]: "0x7f204000

// A pool of 3 is none of a destination. Before a dense layer it becomes part of the kernels: 3 x 3 of the 4 x 4 positions.
// RUN: mutate 's/\[2, 2\] : tensor<2xi64>>, stride = #nopt.array<\[2, 2\] : tensor<2xi64>>, padding = #nopt.array<\[0, 0\] : tensor<2xi64>>} : tensor<2x4x4xi1> -> tensor<2x2x2xf32>/[3, 3] : tensor<2xi64>>, stride = #nopt.array<[3, 3] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<2x4x4xi1> -> tensor<2x1x1xf32>/' 's/tensor<2x2x2xf32> -> tensor<8xf32>/tensor<2x1x1xf32> -> tensor<2xf32>/' 's/%c = nir.linear.*/%c = nir.linear "fc" %f {weight = #nopt.array<[[1.0, 0.5], [0.0, 0.0], [0.5, -1.0]] : tensor<3x2xf32>>} : tensor<2xf32> -> tensor<3xf32>/' %S/inputs/net.mlir > %t.three.mlir
// RUN: nopt %t.three.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=THREE
// THREE: dynapcnn.cnn_layer "c1" of "n1" {{.*}}destinations = #nopt.array<{{\[\[}}7, 1]] : tensor<1x2xi32>>}
// THREE: dynapcnn.cnn_layer "fc" of "n2" {{.*}}input_shape = #nopt.array<[2, 4, 4] : tensor<3xi32>>, {{.*}}weights = #nopt.array<[[FOLDED:h[0-9a-f]*]] : tensor<3x2x3x3xi8>>
// THREE: [[FOLDED]]: "0x7f7f7f7f7f7f7f7f7f404040404040404040

// A pool of 8 before a convolution, and one of an input, make its kernel and its stride larger.
// RUN: nopt %S/inputs/pools.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=EIGHT
// RUN: mutate 's/"events" %x: tensor<2x8x8xf32>/"events" %y: tensor<2x16x16xf32>/' 's/%a = nir/%x = nir.sum_pool2d "p0" %y {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<2x16x16xf32> -> tensor<2x8x8xf32>\n  %a = nir/' %S/inputs/net.mlir > %t.pooled.mlir
// RUN: nopt %t.pooled.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=INPUT
// EIGHT: dynapcnn.cnn_layer "c2" of "n2" {{.*}}: tensor<1x1x8x8xi8>>, stride = #nopt.array<[8, 8] : tensor<2xi32>>
// INPUT: dynapcnn.cnn_layer "c1" of "n1" {{.*}}: tensor<2x2x4x4xi8>>, stride = #nopt.array<[4, 4] : tensor<2xi32>>

// A pool of 3 makes a stride of 3, which no core has: the four positions are features, and each has a kernel over the whole map of 6 x 6.
// RUN: mutate 's/\[8, 8\] : tensor<2xi64>/[3, 3] : tensor<2xi64>/g' 's/1x16x16/1x6x6/g' %S/inputs/pools.mlir | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=FEATURES
// FEATURES: dynapcnn.cnn_layer "c2" of "n2" {{.*}}input_shape = #nopt.array<[1, 6, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 1, 1] : tensor<3xi32>>, weights = #nopt.array<[[POSITIONS:h[0-9a-f]*]] : tensor<4x1x6x6xi8>>
// FEATURES: dynapcnn.output "out" of "n2" : tensor<1x2x2x!ntensor.count<32>>
// FEATURES: [[POSITIONS]]: "0x7f7f7f0000007f7f7f0000007f7f7f000000000000000000000000000000000000000000

// A kernel that is not square, and padding that differs on both sides, have zeros: 1 x 3 weights [x, y] in 3 x 3, and two taps of three with one row of padding.
// RUN: mutate '/"c1"/s/weight = #nopt.array<.* : tensor<2x2x2x2xf32>>/weight = #nopt.array<constant(value = 1.0) : tensor<2x2x3x1xf32>>/' '/"c1"/s/padding = #nopt.array<\[0, 0\]/padding = #nopt.array<[1, 0]/' %S/inputs/net.mlir | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=THIN
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}' -o %t.plain.mlir
// RUN: mutate '/"c1"/s/padding = #nopt.array<\[\[0, 0\], \[0, 0\]\]/padding = #nopt.array<[[1, 0], [1, 0]]/' %t.plain.mlir | nopt - -p 'ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=PADDING
// THIN: dynapcnn.cnn_layer "c1" of "n1" {{.*}}weights = #nopt.array<[[COLUMN:h[0-9a-f]*]] : tensor<2x2x3x3xi8>>, stride = #nopt.array<[2, 2] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>
// THIN: [[COLUMN]]: "0x0000007f7f7f000000
// PADDING: dynapcnn.cnn_layer "c1" of "n1" {{.*}}weights = #nopt.array<[[UNEQUAL:h[0-9a-f]*]] : tensor<2x2x3x3xi8>>, stride = #nopt.array<[2, 2] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>
// PADDING: [[UNEQUAL]]: "0x7f0000400000000000002000

// A convolution over one axis is one over maps of one row.
// RUN: nopt %S/inputs/row.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=ROW
// ROW: dynapcnn.input "x" {input_shape = #nopt.array<[2, 6, 1] : tensor<3xi32>>
// ROW: dynapcnn.cnn_layer "c" of "n" {{.*}}output_shape = #nopt.array<[1, 4, 1] : tensor<3xi32>>, weights = #nopt.array<[[TAPS:h[0-9a-f]*]] : tensor<1x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 1] : tensor<2xi32>>
// ROW: [[TAPS]]: "0x007f00007f00007f00

// A population that adds two convolutions reads the channels of both in one layer: the events of the second are shifted by those of the first.
// RUN: nopt %S/inputs/two.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=TWO
// TWO:      dynapcnn.input "x" {input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[8, 7] : tensor<2xi32>>, feature_shifts = #nopt.array<[0, 1] : tensor<2xi32>>}
// TWO-NEXT: dynapcnn.cnn_layer "c1" of "n1" {layer = 8 : i64, {{.*}}destinations = #nopt.array<{{\[\[}}7, 1]] : tensor<1x2xi32>>}
// TWO-NEXT: dynapcnn.cnn_layer "c2+skip" of "n2" {layer = 7 : i64, input_shape = #nopt.array<[2, 4, 4] : tensor<3xi32>>, {{.*}}weights = #nopt.array<[[BOTH:h[0-9a-f]*]] : tensor<1x2x3x3xi8>>
// TWO:      [[BOTH]]: "0x7f7f7f7f7f7f7f7f7f000000004000000000"

// Groups and dilation become zeros of the kernels: two groups of a channel each, and taps at a distance of 2.
// RUN: mutate '/"c1"/s/weight = #nopt.array<.* : tensor<2x2x2x2xf32>>/weight = #nopt.array<constant(value = 1.0) : tensor<2x1x2x2xf32>>/' '/"c1"/s/groups = #nopt.array<1 /groups = #nopt.array<2 /' '/"c1"/s/dilation = #nopt.array<\[1, 1\]/dilation = #nopt.array<[2, 2]/' '/"c1"/s/-> tensor<2x4x4xf32>/-> tensor<2x3x3xf32>/' 's/tensor<2x4x4x/tensor<2x3x3x/g' 's/tensor<2x2x2xf32>/tensor<2x1x1xf32>/g' 's/tensor<8xf32>/tensor<2xf32>/g' 's/%c = nir.linear.*/%c = nir.linear "fc" %f {weight = #nopt.array<[[1.0, 0.5], [0.0, 0.0], [0.5, -1.0]] : tensor<3x2xf32>>} : tensor<2xf32> -> tensor<3xf32>/' %S/inputs/net.mlir > %t.groups.mlir
// RUN: nopt %t.groups.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=GROUPS
// GROUPS: dynapcnn.cnn_layer "c1" of "n1" {{.*}}weights = #nopt.array<[[WIDE:h[0-9a-f]*]] : tensor<2x2x3x3xi8>>
// GROUPS: [[WIDE]]: "0x7f007f0000007f007f000000000000000000000000000000000000{{(7f007f0000007f007f|.*)}}

// A reset to zero is return_to_zero. The rule of Euler's neuron differs in two properties that the device permits, on record.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=dynapcnn/speck2f approximate=count,comparison},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=ZERO
// ZERO: count
// ZERO: dynapcnn.cnn_layer "c1" of "n1" {{.*}}threshold_low = -32768 : i64, {{.*}}return_to_zero

// The next device has the same cores.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/dynapcnn},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=OTHER
// OTHER: dynapcnn.cnn_layer "c1" of "n1" {layer = 8 : i64
