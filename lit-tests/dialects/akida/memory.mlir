// Bytes of weights as the vendor's mapper counts them; the conversion writes them, and the verifier computes them again.
// RUN: nopt %S/../../targets/akida/inputs/net.mlir -p 'ntensor-legalize{device=akida/akd1000},ntensor-widen-sums,convert-ntensor-to-akida' | filecheck %s

// c2: 2 channels, one group of 8 filters, 3 x 3 with 2 bits: ceil(2 / 5) = 1 word of 50 bytes for each channel. A column of 3 rows of 2
// channels with 4 bits is 4 x 2 x 4 = 32 bits; there are 3 columns.
// CHECK: akida.np "CNP1" {{.*}}input_bytes = 12 : i64, weight_bytes = 100 : i64, external_bytes = 0 : i64}

// fc: 9 inputs are one word of 32; 3 units of 16 bytes and 6 words of 4 bytes.
// CHECK: akida.np "FNP3" {{.*}}input_bytes = 4 : i64, weight_bytes = 120 : i64, external_bytes = 0 : i64}

// With less memory for dense weights, they are in external memory.
// RUN: nopt %S/../../targets/akida/inputs/net.mlir -p 'ntensor-legalize{device=akida/akd1000 set="features.dense_bytes=119"},ntensor-widen-sums,convert-ntensor-to-akida' | filecheck %s --check-prefix=EXTERNAL
// EXTERNAL: akida.np "FNP2" {{.*}}input_bytes = 4 : i64, weight_bytes = 0 : i64, external_bytes = 120 : i64}
