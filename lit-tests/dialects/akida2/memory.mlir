// Bytes as the vendor's mapper counts them; the conversion writes them, and the verifier computes them again.
// RUN: nopt %S/../../targets/akida/inputs/net2.mlir -p 'ntensor-legalize{device=akida/six_nodes_v2},ntensor-widen-sums,convert-ntensor-to-akida2' | filecheck %s

// c1: a column of 4 rows with 4 bits is a word of 4 bytes; 4 columns of 2 channels. 1 x 1 with 4 bits: 2 channels of 12.5 bytes.
// CHECK: akida2.np "CNP1" {{{.*}}input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}

// d2: a column of 4 rows with 8 bits is a word. 3 x 3 with 8 bits: 12.5 bytes for each of 2 channels.
// CHECK: akida2.np "CNP1" {{{.*}}input_bytes = 32 : i64, weight_bytes = 25 : i64, external_bytes = 0 : i64}

// fc: 32 inputs of 4 bits are 4 words; each of 2 units has 8 bytes and 4 words.
// CHECK: akida2.np "FNP3" {{{.*}}input_bytes = 16 : i64, weight_bytes = 48 : i64, external_bytes = 0 : i64}

// With less memory for dense weights, they are in external memory. A limit of the input divides a depthwise layer by channels.
// RUN: nopt %S/../../targets/akida/inputs/net2.mlir -p 'ntensor-legalize{device=akida/six_nodes_v2 set="features.dense_bytes=47"},ntensor-widen-sums,convert-ntensor-to-akida2' | filecheck %s --check-prefix=EXTERNAL
// RUN: nopt %S/../../targets/akida/inputs/net2.mlir -p 'ntensor-legalize{device=akida/six_nodes_v2 set="features.cnp_filters=1"},ntensor-widen-sums,convert-ntensor-to-akida2' | filecheck %s --check-prefix=CHANNELS
// EXTERNAL: akida2.np "FNP2" {{{.*}}input_bytes = 16 : i64, weight_bytes = 0 : i64, external_bytes = 48 : i64}
// CHANNELS: akida2.depthwise_conv2d
// CHANNELS-NEXT: filters = #nopt.array<[0, 1] : tensor<2xi32>>, {{.*}}input_bytes = 16 : i64, weight_bytes = 13 : i64
// CHANNELS-NEXT: filters = #nopt.array<[1, 1] : tensor<2xi32>>, {{.*}}input_bytes = 16 : i64, weight_bytes = 13 : i64
