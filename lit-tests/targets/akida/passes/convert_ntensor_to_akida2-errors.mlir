// A bias is a number of 8 bits, shifted to the left: 1101 - 12 = 1089 is odd, and needs 11 bits.
// RUN: mutate 's/bias = #nopt.array<\[3, -2\]/bias = #nopt.array<[3, 1101]/' %S/../inputs/net2.mlir | not nopt - -p 'ntensor-legalize{device=akida/six_nodes_v2},ntensor-widen-sums,convert-ntensor-to-akida2' -o /dev/null 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS:      error[CHI016]: the bias of a layer is not a number of 8 bits that is shifted to the left
// BIAS-NEXT:   at: ntensor.conv2d "c1"
// BIAS-NEXT:   expected: -128 to 127, times a power of two up to 2^20
// BIAS-NEXT:   found: 1089, with the bias of the activation
// BIAS-NEXT:   help: nopt check - --target auto
// BIAS-NEXT:   note: round the bias to 8 bits, or remove it and change the threshold instead

// After a depthwise convolution there is an activation.
// RUN: mutate '/"n2"/d' 's/%flat = ntensor.reshape "flat" %n2 : tensor<2x4x4x!ntensor.count<4>> -> tensor<32x!ntensor.count<4>>/%flat = ntensor.reshape "flat" %d2 : tensor<2x4x4xi32> -> tensor<32xi32>/' 's/tensor<32x!ntensor.count<4>> ->/tensor<32xi32> ->/' %S/../inputs/net2.mlir | not nopt - -p 'ntensor-legalize{device=akida/six_nodes_v2},ntensor-widen-sums,convert-ntensor-to-akida2' -o /dev/null 2>&1 | filecheck %s --check-prefix=POTENTIALS
// POTENTIALS:      error[CHI014]: potentials are the input of another layer
// POTENTIALS-NEXT:   at: ntensor.linear "fc"
// POTENTIALS-NEXT:   expected: an activation after d2
// POTENTIALS-NEXT:   found: none
// POTENTIALS-NEXT:   help: nopt check - --target auto
// POTENTIALS-NEXT:   note: put a population with the neuron of the device between both

// The input has at most 8 bits.
// RUN: mutate 's/%x: tensor<2x4x4x!ntensor.count<4>>/%x: tensor<2x4x4x!ntensor.count<9>>/' '/"c1"/s/count<4>/count<9>/' %S/../inputs/net2.mlir | not nopt - -p 'ntensor-legalize{device=akida/six_nodes_v2},ntensor-widen-sums,convert-ntensor-to-akida2' -o /dev/null 2>&1 | filecheck %s --check-prefix=INPUT
// INPUT:      error[AKI013]: the input has another type
// INPUT:        found: !ntensor.count<9>

// Weights of 4 bits and the input of 4 bits: others are refused where the layer is placed.
// RUN: mutate '/"c1"/s/\[\[7\]\]/[[8]]/' %S/../inputs/net2.mlir | not nopt - -p 'ntensor-legalize{device=akida/six_nodes_v2},ntensor-widen-sums,convert-ntensor-to-akida2' -o /dev/null 2>&1 | filecheck %s --check-prefix=WIDE
// RUN: mutate '/"c1"/s/\[\[7\]\]/[[-8]]/' %S/../inputs/net2.mlir | nopt - -p 'ntensor-legalize{device=akida/six_nodes_v2},ntensor-widen-sums,convert-ntensor-to-akida2' -o /dev/null
// WIDE:      error[AKI004]: the weights have more bits than the input of the layer
// WIDE-NEXT:   at: akida2.conv2d "c1"
// WIDE-NEXT:   expected: at most 4 bits (akida/six_nodes_v2, features.weights_within_input: {{.*}})
// WIDE-NEXT:   found: 8 bits
// WIDE-NEXT:   help: nopt check - --target auto
// WIDE-NEXT:   note: use weights of 4 bits
