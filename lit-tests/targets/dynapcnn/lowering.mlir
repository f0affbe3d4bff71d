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

// A pool of 3 is none of a destination. Before a dense layer it becomes part of the kernels: 4 x 4 positions, of which 3 x 3 are added.
// RUN: mutate 's/\[2, 2\] : tensor<2xi64>>, stride = #nopt.array<\[2, 2\] : tensor<2xi64>>, padding = #nopt.array<\[0, 0\] : tensor<2xi64>>} : tensor<2x4x4xi1> -> tensor<2x2x2xf32>/[3, 3] : tensor<2xi64>>, stride = #nopt.array<[3, 3] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<2x4x4xi1> -> tensor<2x1x1xf32>/' 's/tensor<2x2x2xf32> -> tensor<8xf32>/tensor<2x1x1xf32> -> tensor<2xf32>/' 's/%c = nir.linear.*/%c = nir.linear "fc" %f {weight = #nopt.array<[[1.0, 0.5], [0.0, 0.0], [0.5, -1.0]] : tensor<3x2xf32>>} : tensor<2xf32> -> tensor<3xf32>/' %S/inputs/net.mlir > %t.three.mlir
// RUN: nopt %t.three.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=THREE
// THREE: dynapcnn.cnn_layer "c1" of "n1" {{.*}}destinations = #nopt.array<{{\[\[}}7, 1]] : tensor<1x2xi32>>}
// THREE: dynapcnn.cnn_layer "fc" of "n2" {{.*}}input_shape = #nopt.array<[2, 4, 4] : tensor<3xi32>>, {{.*}}weights = #nopt.array<[[FOLDED:h[0-9a-f]*]] : tensor<3x2x4x4xi8>>
// THREE: [[FOLDED]]: "0x7f7f7f007f7f7f007f7f7f0000000000

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
