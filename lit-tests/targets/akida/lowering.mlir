// A layer is a synapse op, its pool and its activation; the input of 8 bits is read by the input convolution.
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' | filecheck %s

// A bias is subtracted from the threshold: 100 - 3 and 100 + 200. The register 24000 is a step of 24000 / 16.
// CHECK:      akida.model @net attributes {{{.*}}input = "image"}
// CHECK-NEXT:   akida.input_convolutional "c1" of "n1" attributes {input_shape = #nopt.array<[6, 5, 1] : tensor<3xi32>>, weights_bits = 8 : i64, act_bits = 4 : i64, threshold = #nopt.array<[97, 300] : tensor<2xi32>>, act_step = #nopt.array<[1500.0, 1500.0] : tensor<2xf32>>, weights = #nopt.array<[[INPUT:h[0-9a-f]*]] : tensor<3x3x1x2xi8>>, kernel_stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = "same", pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[2, 2] : tensor<2xi32>>}
// CHECK-NEXT:     akida.np "HRC"
// CHECK:        akida.convolutional "c2" of "n2" attributes {{{.*}}weights_bits = 2 : i64, {{.*}}weights = #nopt.array<[[MIRRORED:h[0-9a-f]*]] : tensor<3x3x2x1xi8>>
// CHECK-NEXT:     akida.np "CNP1" {ident = #nopt.array<[3, 1, 2] : tensor<3xi32>>
// CHECK:        akida.fully_connected "fc" of "fc" attributes {input_shape = #nopt.array<[3, 3, 1] : tensor<3xi32>>, weights_bits = 4 : i64, weights = #nopt.array<[[DENSE:h[0-9a-f]*]] : tensor<1x1x9x3xi8>>}
// CHECK-NEXT:     akida.np "FNP3" {ident = #nopt.array<[1, 3, 0] : tensor<3xi32>>
// CHECK:        akida.output "out" of "fc" : tensor<3xi32>

// The kernel of the input convolution is stored as it is, [kh, kw, c, f]: 1 0, 2 0, 3 0, 4 0, 5 -1, …. A dense layer reads (c, w, h): its columns
// are 0, 3, 6, 1, …, so the inputs of unit 0 have the weights 1, 4, 7, 2. The kernel of c2 is mirrored: its first element is that of the end of
// channel 1.
// CHECK-DAG:  [[INPUT]]: "0x010002000300040005ff0600070008006400"
// CHECK-DAG:  [[DENSE]]: "0x010000040000070000020001050000f90000030000060000fa0100"
// CHECK-DAG:  [[MIRRORED]]: "0x00ff00000000000000000000000000000100"

// The next device has its own processors.
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-legalize{device=akida/akd1500},ntensor-widen-sums,convert-ntensor-to-akida' | filecheck %s --check-prefix=OTHER
// OTHER: akida.np "CNP1" {ident = #nopt.array<[1, 2, 1] : tensor<3xi32>>

// Learning of the last layer follows from preferences.
// RUN: nopt %S/inputs/binary.mlir -p 'ntensor-legalize{device=akida/akd1000 set="preferences.num_weights=2"},ntensor-widen-sums,convert-ntensor-to-akida' | filecheck %s --check-prefix=LEARNS
// LEARNS: akida.fully_connected "fc" of "fc" attributes {{{.*}}learning = #nopt.array<[2.0, 1.0, 1.0, 0.0, 0.1, 0.25] : tensor<6xf32>>}

// A spike is an input of 1 bit.
// RUN: nopt %S/inputs/binary.mlir -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' | filecheck %s --check-prefix=SPIKES
// SPIKES: akida.input_data "x" {input_shape = #nopt.array<[1, 1, 4] : tensor<3xi32>>, input_bits = 1 : i64}
