// No tile of c2 fits 3 bytes: one column takes 4.
// RUN: not nopt %S/../../targets/akida/inputs/net.mlir -p 'ntensor-legalize{device=akida/akd1000 set="core.memory.input.bytes=3,core.memory_bytes=44803"},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s
// CHECK:      error[AKI003]: one position of the input exceeds the memory of a processor
// CHECK-NEXT:   at: akida.convolutional "c2"
// CHECK-NEXT:   expected: at most 3 bytes (akida/akd1000, core.memory.input.bytes: set by the user)
// CHECK-NEXT:   found: 2 channels of 4 bits
// CHECK-NEXT:   help: nopt check {{.*}} --target auto
// CHECK-NEXT:   note: give the layer before fewer filters
