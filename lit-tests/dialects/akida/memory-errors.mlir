// One filter of c2 takes 100 bytes of weights.
// RUN: not nopt %S/../../targets/akida/inputs/net.mlir -p 'ntensor-legalize{device=akida/akd1000 set="core.memory.weights.bytes=99,core.memory_bytes=43107"},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null 2>&1 | filecheck %s
// RUN: nopt %S/../../targets/akida/inputs/net.mlir -p 'ntensor-legalize{device=akida/akd1000 set="core.memory.weights.bytes=100,core.memory_bytes=43108"},ntensor-widen-sums,convert-ntensor-to-akida' -o /dev/null
// CHECK:      error[AKI006]: the weights of one filter exceed the memory of a processor
// CHECK-NEXT:   at: akida.convolutional "c2"
// CHECK-NEXT:   expected: at most 99 bytes (akida/akd1000, core.memory.weights.bytes: set by the user)
// CHECK-NEXT:   found: 100 bytes for 2 channels of 2 bits
// CHECK-NEXT:   help: nopt check {{.*}} --target auto
// CHECK-NEXT:   note: give the layer before fewer filters, or the weights fewer bits
