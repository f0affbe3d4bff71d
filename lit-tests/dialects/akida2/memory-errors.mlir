// The declared memory is that of the part, and one filter of c1 takes 25 bytes.
// RUN: mutate '/FNP3/s/weight_bytes = 48/weight_bytes = 49/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BYTES
// RUN: not nopt %S/../../targets/akida/inputs/net2.mlir -p 'ntensor-legalize{device=akida/six_nodes_v2 set="core.memory.weights.bytes=24,core.memory_bytes=65560"},ntensor-widen-sums,convert-ntensor-to-akida2' -o /dev/null 2>&1 | filecheck %s --check-prefix=FILTER
// RUN: nopt %S/../../targets/akida/inputs/net2.mlir -p 'ntensor-legalize{device=akida/six_nodes_v2 set="core.memory.weights.bytes=25,core.memory_bytes=65561"},ntensor-widen-sums,convert-ntensor-to-akida2' -o /dev/null
// BYTES:      error[AKI006]: the memory of a part differs from its contents
// BYTES-NEXT:   at: akida2.dense1d "fc"
// BYTES-NEXT:   expected: 16, 48, 0 bytes
// BYTES-NEXT:   found: 16, 49, 0 bytes
// BYTES-NEXT:   help: compile the network again
// FILTER:      error[AKI006]: the weights of one filter exceed the memory of a processor
// FILTER-NEXT:   at: akida2.conv2d "c1"
// FILTER-NEXT:   expected: at most 24 bytes (akida/six_nodes_v2, core.memory.weights.bytes: set by the user)
// FILTER-NEXT:   found: 25 bytes for 2 channels of 4 bits

