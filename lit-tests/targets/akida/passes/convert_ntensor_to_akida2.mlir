// A chain of layers: kernels are mirrored, and the bias of the neuron, -3 << 2 = -12, is added to that of the convolution: 3 - 12 and -2 - 12.
// RUN: nopt %S/../inputs/net2.mlir -p 'ntensor-legalize{device=akida/six_nodes_v2},ntensor-widen-sums,convert-ntensor-to-akida2' | filecheck %s
// CHECK:      akida2.model @net2 attributes {machine.device = {{.*}}ip_version = "v2"} {
// CHECK-NEXT:   akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 4 : i64}
// CHECK-NEXT:   akida2.conv2d "c1" of "n1" attributes {act_bits = 8 : i64, output_scales = #nopt.array<[255, 255] : tensor<2xi32>>, output_shift = #nopt.array<[-8, -8] : tensor<2xi32>>, {{.*}}weights_bits = 4 : i64, bias = #nopt.array<[-9, -14] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 0] : tensor<2xi32>>, weights = #nopt.array<{{\[\[\[\[}}7, 6], [-7, 5]{{\]\]\]}} : tensor<1x1x2x2xi8>>
// CHECK-NEXT:     akida2.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>
// CHECK:        akida2.depthwise_conv2d "d2" of "n2" attributes {act_bits = 4 : i64, {{.*}}weights_bits = 8 : i64
// CHECK:        akida2.dense1d "fc" of "fc" attributes {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, weights_bits = 4 : i64
// CHECK:        akida2.output "out" of "fc" : tensor<2xi32>

// A bias beyond 8 bits is shifted: 100 - 12 = 88, and 1100 - 12 = 68 << 4.
// RUN: mutate 's/bias = #nopt.array<\[3, -2\]/bias = #nopt.array<[100, 1100]/' %S/../inputs/net2.mlir | nopt - -p 'ntensor-legalize{device=akida/six_nodes_v2},ntensor-widen-sums,convert-ntensor-to-akida2' | filecheck %s --check-prefix=SHIFTED
// SHIFTED: bias = #nopt.array<[88, 68] : tensor<2xi32>>, bias_shift = #nopt.array<[0, 4] : tensor<2xi32>>

// An input of 8 bits with another number of channels than one or three is not an image.
// RUN: mutate 's/%x: tensor<2x4x4x!ntensor.count<4>>/%x: tensor<2x4x4x!ntensor.count<8>>/' '/"c1"/s/count<4>/count<8>/' %S/../inputs/net2.mlir | nopt - -p 'ntensor-legalize{device=akida/six_nodes_v2},ntensor-widen-sums,convert-ntensor-to-akida2' | filecheck %s --check-prefix=EIGHT
// EIGHT: akida2.input_data "x" {input_shape = #nopt.array<[4, 4, 2] : tensor<3xi32>>, input_bits = 8 : i64}
