// Integers of 12 bits that are multiples of 16 need 8 bits with the exponent 4. Multiples of 256 need 8 bits with the same exponent, and the
// smallest format, of 4 bits, needs the exponent 8.
// RUN: nopt %S/../../targets/asic/inputs/powers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=12 scale=power-of-two},ntensor-legalize{device=asic/kinds},convert-ntensor-to-machine' | filecheck %s
// CHECK:      machine.vertex "hidden/0"
// CHECK-SAME: weight_bits = 8 : i64, weight_exponent = 4 : i64
// CHECK-SAME: synapse_bytes = 6 : i64
// CHECK:      machine.vertex "readout/0"
// CHECK-SAME: weight_bits = 8 : i64, weight_exponent = 8 : i64
// CHECK-SAME: synapse_bytes = 2 : i64
