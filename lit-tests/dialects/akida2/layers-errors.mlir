// Arrays have the shapes and ranges of the vendor.
// RUN: mutate '/"c1"/s/weights_bits = 4/weights_bits = 2/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WIDTH
// RUN: mutate '/"c1"/s/\[7, 6\]/[8, 6]/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WEIGHTS
// RUN: mutate '/"c1"/s/act_bits = 8/act_bits = 2/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=ACT
// RUN: mutate '/"c1"/s/bias = #nopt.array<\[-9, -14\]/bias = #nopt.array<[-129, 0]/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BIAS
// RUN: mutate '/"c1"/s/bias = #nopt.array<\[-9, -14\]/bias = #nopt.array<[-128, 127]/' %S/inputs/akida2.mlir | nopt - -o /dev/null
// RUN: mutate '/"c1"/s/output_scales = #nopt.array<\[255, 255\] : tensor<2xi32>>, //' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SCALE
// RUN: mutate '/"c1"/s/\[-8, -8\]/[1, -8]/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SHIFT
// RUN: mutate '/"c1"/s/act_bits = 8 : i64, //' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BOTH
// RUN: mutate 's/tensor<3x3x2x1xi8>/tensor<3x3x1x1xi8>/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=DEPTH
// RUN: mutate 's/tensor<32x2xi8>/tensor<31x2xi8>/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=DENSE
// WIDTH:      error[CHI010]: weights_bits is out of range
// WIDTH-NEXT:   at: akida2.conv2d "c1"
// WIDTH-NEXT:   expected: 4 or 8
// WIDTH-NEXT:   found: 2
// WIDTH-NEXT:   help: compile the network again
// WEIGHTS:      error[CHI010]: weights exceed weights_bits = 4
// WEIGHTS-NEXT:   at: akida2.conv2d "c1"
// WEIGHTS-NEXT:   expected: i8 from -8 to 7
// WEIGHTS-NEXT:   found: -7 to 8
// WEIGHTS-NEXT:   help: compile the network again
// ACT:      error[CHI010]: act_bits is out of range
// ACT-NEXT:   at: akida2.conv2d "c1"
// ACT-NEXT:   expected: 4 or 8
// ACT-NEXT:   found: 2
// ACT-NEXT:   help: compile the network again
// BIAS:      error[CHI010]: bias is out of range
// BIAS-NEXT:   at: akida2.conv2d "c1"
// BIAS-NEXT:   expected: -128 to 127
// BIAS-NEXT:   found: -129 to 0
// BIAS-NEXT:   help: compile the network again
// SCALE:      error[CHI010]: output_scales has another shape
// SCALE-NEXT:   at: akida2.conv2d "c1"
// SCALE-NEXT:   expected: [2] of int32
// SCALE-NEXT:   found: none
// SCALE-NEXT:   help: compile the network again
// SHIFT:      error[CHI010]: output_shift is out of range
// SHIFT-NEXT:   at: akida2.conv2d "c1"
// SHIFT-NEXT:   expected: -31 to 0
// SHIFT-NEXT:   found: -8 to 1
// SHIFT-NEXT:   help: compile the network again
// BOTH:      error[CHI010]: a layer without act_bits has an activation
// BOTH-NEXT:   at: akida2.conv2d "c1"
// BOTH-NEXT:   expected: no output_scales and output_shift
// BOTH-NEXT:   found: one
// BOTH-NEXT:   help: compile the network again
// DEPTH:      error[CHI010]: weights have another shape
// DEPTH-NEXT:   at: akida2.depthwise_conv2d "d2"
// DEPTH-NEXT:   expected: [kh, kw, 2, 1]
// DEPTH-NEXT:   found: [3, 3, 1, 1]
// DEPTH-NEXT:   help: compile the network again
// DENSE:      error[CHI010]: weights have another shape
// DENSE-NEXT:   at: akida2.dense1d "fc"
// DENSE-NEXT:   expected: [32, units]
// DENSE-NEXT:   found: [31, 2]
// DENSE-NEXT:   help: compile the network again

