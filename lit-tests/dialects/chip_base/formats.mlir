// RUN: nopt %S/../../targets/asic/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=loihi2/loihi1},convert-ntensor-to-machine' | filecheck %s
// RUN: nopt %S/../../targets/asic/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=loihi2/loihi1 set="synapse.formats.dense4.block.word_bits=8"},convert-ntensor-to-machine' | filecheck %s --check-prefix=BYTES

// The entries of an axon fill blocks of words of 64 bits with a header of 10 bits. Two axons with 3 weights of 4 bits take a word each, and three with
// 2 weights: 16 and 24 bytes.
// CHECK: machine.vertex "hidden/0" {{.*}} synapse_bytes = 16 : i64
// CHECK: machine.vertex "readout/0" {{.*}} synapse_bytes = 24 : i64

// With words of 8 bits, 22 bits are 3 bytes, and 18 bits as well.
// BYTES: machine.vertex "hidden/0" {{.*}} synapse_bytes = 6 : i64
// BYTES: machine.vertex "readout/0" {{.*}} synapse_bytes = 9 : i64
