// A row counts its synapses, and has no plastic data.
// RUN: mutate 's/\[0, 2, 0, 268435456, 402653185\]/[0, 3, 0, 268435456, 402653185]/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COUNT
// RUN: mutate 's/\[0, 2, 0, 268435456, 402653185\]/[1, 2, 0, 268435456, 402653185]/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COUNT
// COUNT:       error[SPN001]: a synaptic row is not one of the chip
// COUNT-NEXT:    at: spinnaker.rows "fc1.excitatory"
// COUNT-NEXT:    expected: no plastic data, and at most 2 synapses
// COUNT-NEXT:    found: another header

// A mask keeps the highest bits of a key, and its other bits are enough for the neurons.
// RUN: mutate 's/key = 0 : i64/key = 1 : i64/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=KEY
// RUN: mutate 's/mask = 4294967292/mask = 4294967294/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MASK
// KEY:         error[SPN001]
// KEY:           expected: a key of 32 bits, and a mask of its highest bits
// KEY-NEXT:      found: key 0x1, mask 0xfffffffc
// MASK:        error[SPN001]
// MASK:          expected: at most 2 neurons
// MASK-NEXT:     found: 3

// Words have 32 bits.
// RUN: mutate 's/tensor<3x4xi32>/tensor<3x4xi64>/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=WORDS
// WORDS:       error[SPN001]
// WORDS:         expected: i32 of shape [rows, 3 or more]
// WORDS-NEXT:    found: int64 of shape [3, 4]
