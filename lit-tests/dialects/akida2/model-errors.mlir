// The input has 4 or 8 bits; layers form one sequence.
// RUN: mutate 's/input_bits = 4/input_bits = 2/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BITS
// RUN: mutate 's/"d2" of/"c1" of/' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: mutate '/akida2.input_data/d' %S/inputs/akida2.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NONE
// BITS:      error[CHI010]: input_bits is out of range
// BITS-NEXT:   at: akida2.input_data "x"
// BITS-NEXT:   expected: 4 or 8
// BITS-NEXT:   found: 2
// BITS-NEXT:   help: compile the network again
// TWICE:      error[CHI011]: two layers have the same name
// TWICE-NEXT:   at: akida2.model @net2
// TWICE-NEXT:   expected: each name once
// TWICE-NEXT:   found: c1
// TWICE-NEXT:   help: compile the network again
// NONE:      error[CHI011]: the input of a model is read by an input convolution or by akida2.input_data
// NONE-NEXT:   at: akida2.model @net2
// NONE-NEXT:   expected: one of them
// NONE-NEXT:   found: neither
// NONE-NEXT:   help: compile the network again

