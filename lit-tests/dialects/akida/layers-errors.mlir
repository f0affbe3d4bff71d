// The arrays of a layer have the shapes and the numbers of its parameters.
// RUN: mutate '/input_data/s/\[4, 4, 2\] : tensor<3xi32>/[4, 4] : tensor<2xi32>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=MAP
// RUN: mutate 's/input_bits = 4/input_bits = 8/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=INPUTBITS
// RUN: mutate '/"c1"/s/\[\[\[\[7, -7\], \[1, 0\]\]\]\] : tensor<1x1x2x2xi8>/[[[[7, -7]]]] : tensor<1x1x1x2xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=CHANNELS
// RUN: mutate '/"c1"/s/7, -7/7, -8/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=LOWEST
// RUN: mutate '/"c1"/s/tensor<1x1x2x2xi8>/tensor<1x1x2x2xi16>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=TYPE
// RUN: mutate '/"c1"/s/weights_bits = 4/weights_bits = 3/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BITS
// RUN: mutate '/"c1"/s/act_bits = 2/act_bits = 3/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=ACTIVATION
// RUN: mutate 's/\[5, -3\] : tensor<2xi32>/[5, -3, 1] : tensor<3xi32>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=THRESHOLDS
// RUN: mutate 's/\[1.0, 0.0625\]/[1.0, 0.1]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=FRACTION
// RUN: mutate 's/\[1.0, 0.0625\]/[1.0, 0.0]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NEGATIVE
// RUN: mutate '/"c1"/s/act_bits = 2 : i64, //' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BOTH
// MAP:      error[CHI010]: input_shape is not a map
// MAP-NEXT:   at: akida.input_data "input"
// MAP-NEXT:   expected: 3 integers from 1
// MAP-NEXT:   found: [4, 4]
// MAP-NEXT:   help: compile the network again
// INPUTBITS:      error[CHI010]: input_bits is out of range
// INPUTBITS-NEXT:   at: akida.input_data "input"
// INPUTBITS-NEXT:   expected: 1, 2 or 4; an input of 8 bits is that of akida.input_convolutional
// INPUTBITS-NEXT:   found: 8
// INPUTBITS-NEXT:   help: compile the network again
// CHANNELS:      error[CHI010]: weights have another shape
// CHANNELS-NEXT:   at: akida.convolutional "c1"
// CHANNELS-NEXT:   expected: [kh, kw, 2, filters]
// CHANNELS-NEXT:   found: [1, 1, 1, 2]
// CHANNELS-NEXT:   help: compile the network again
// LOWEST:      error[CHI010]: weights exceed weights_bits = 4
// LOWEST-NEXT:   at: akida.convolutional "c1"
// LOWEST-NEXT:   expected: i8 from -7 to 7
// LOWEST-NEXT:   found: -8 to 7
// LOWEST-NEXT:   help: compile the network again
// TYPE:      error[CHI010]: weights exceed weights_bits = 4
// TYPE-NEXT:   at: akida.convolutional "c1"
// TYPE-NEXT:   expected: i8 from -7 to 7
// TYPE-NEXT:   found: int16
// TYPE-NEXT:   help: compile the network again
// BITS:      error[CHI010]: weights_bits is out of range
// BITS-NEXT:   at: akida.convolutional "c1"
// BITS-NEXT:   expected: 1, 2, 4 or 8
// BITS-NEXT:   found: 3
// BITS-NEXT:   help: compile the network again
// ACTIVATION:      error[CHI010]: act_bits is out of range
// ACTIVATION-NEXT:   at: akida.convolutional "c1"
// ACTIVATION-NEXT:   expected: 1, 2 or 4
// ACTIVATION-NEXT:   found: 3
// ACTIVATION-NEXT:   help: compile the network again
// THRESHOLDS:      error[CHI010]: threshold has another shape
// THRESHOLDS-NEXT:   at: akida.convolutional "c1"
// THRESHOLDS-NEXT:   expected: [2] of int32
// THRESHOLDS-NEXT:   found: [3] of int32
// THRESHOLDS-NEXT:   help: compile the network again
// FRACTION:      error[CHI010]: act_step is out of range
// FRACTION-NEXT:   at: akida.convolutional "c1"
// FRACTION-NEXT:   expected: positive multiples of 1/16
// FRACTION-NEXT:   found: 0.1
// FRACTION-NEXT:   help: compile the network again
// NEGATIVE:      error[CHI010]: act_step is out of range
// NEGATIVE-NEXT:   at: akida.convolutional "c1"
// NEGATIVE-NEXT:   expected: positive multiples of 1/16
// NEGATIVE-NEXT:   found: 0
// NEGATIVE-NEXT:   help: compile the network again
// BOTH:      error[CHI010]: a layer without act_bits has an activation
// BOTH-NEXT:   at: akida.convolutional "c1"
// BOTH-NEXT:   expected: no threshold and act_step
// BOTH-NEXT:   found: one
// BOTH-NEXT:   help: compile the network again

// A window has a known padding and pool, and sizes for a max pool alone.
// RUN: mutate '/"c1"/s/"same"/"full"/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=PADDING
// RUN: mutate '/"c1"/s/"none"/"min"/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POOL
// RUN: mutate '/"c1"/s/"none"/"max"/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: mutate '/"c1"/s/pool_type = "none"/pool_type = "max", pool_size = #nopt.array<[2, 2] : tensor<2xi32>>, pool_stride = #nopt.array<[3, 3] : tensor<2xi32>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WIDER
// RUN: mutate '/"c1"/s/kernel_stride = #nopt.array<\[1, 1\]/kernel_stride = #nopt.array<[0, 1]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=STRIDE
// PADDING:      error[CHI010]: unknown padding
// PADDING-NEXT:   at: akida.convolutional "c1"
// PADDING-NEXT:   expected: same or valid
// PADDING-NEXT:   found: full
// PADDING-NEXT:   help: compile the network again
// POOL:      error[CHI010]: unknown pool_type
// POOL-NEXT:   at: akida.convolutional "c1"
// POOL-NEXT:   expected: none, max or average
// POOL-NEXT:   found: min
// POOL-NEXT:   help: compile the network again
// MISSING:      error[CHI010]: pool_size is out of range
// MISSING-NEXT:   at: akida.convolutional "c1"
// MISSING-NEXT:   expected: 2 integers from 1
// MISSING-NEXT:   found: none
// MISSING-NEXT:   help: compile the network again
// WIDER:      error[CHI010]: pool_stride is above pool_size
// WIDER-NEXT:   at: akida.convolutional "c1"
// WIDER-NEXT:   expected: at most [2, 2]
// WIDER-NEXT:   found: [3, 3]
// WIDER-NEXT:   help: compile the network again
// STRIDE:      error[CHI010]: kernel_stride is out of range
// STRIDE-NEXT:   at: akida.convolutional "c1"
// STRIDE-NEXT:   expected: 2 integers from 1
// STRIDE-NEXT:   found: [0, 1]
// STRIDE-NEXT:   help: compile the network again

// A dense layer has a weight for each input, and a separable one weights of channels and of points.
// RUN: mutate '/"fc" of/s/1x1x32x2xi8/1x1x31x2xi8/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=UNITS
// RUN: mutate '/"s2"/s/\[\[\[\[1, -1\], \[0, 1\]\]\]\] : tensor<1x1x2x2xi8>/[[[[1, -1]]]] : tensor<1x1x1x2xi8>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=POINTS
// RUN: mutate 's/\[3, 1, 2\] : tensor<3xi32>/[3, 1] : tensor<2xi32>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=IDENT
// UNITS:      error[CHI010]: weights have another shape
// UNITS-NEXT:   at: akida.fully_connected "fc"
// UNITS-NEXT:   expected: [1, 1, 32, units]
// UNITS-NEXT:   found: [1, 1, 31, 2]
// UNITS-NEXT:   help: compile the network again
// POINTS:      error[CHI010]: weights_pw have another shape
// POINTS-NEXT:   at: akida.separable_convolutional "s2"
// POINTS-NEXT:   expected: [1, 1, 2, filters]
// POINTS-NEXT:   found: [1, 1, 1, 2]
// POINTS-NEXT:   help: compile the network again
// IDENT:      error[CHI010]: ident has another shape
// IDENT-NEXT:   at: akida.np
// IDENT-NEXT:   expected: 3 integers
// IDENT-NEXT:   found: [3, 1]
// IDENT-NEXT:   help: compile the network again
