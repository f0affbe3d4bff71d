// A core counts its rows.
// RUN: mutate 's/axons = 6/axons = 5/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXONS
// AXONS:      error[CHI002]: axons are not the rows of the core
// AXONS-NEXT:   at: spinnaker.core
// AXONS-NEXT:   expected: 6
// AXONS-NEXT:   found: 5

// A core has one slice of a population.
// RUN: mutate '/neurons "two/,/^    }/c ^bb1:' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SLICE
// SLICE:      error[CHI012]: a core does not have one slice of a population
// SLICE-NEXT:   at: spinnaker.core
// SLICE-NEXT:   expected: 1 slice
// SLICE-NEXT:   found: 0

// The bits of a word below the weight are 16.
// RUN: mutate '/one.0. of/s/delay_bits = 0 : i64/delay_bits = 15 : i64/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BITS
// BITS:       error[CHI002]: a word has other bits
// BITS-NEXT:    at: spinnaker.neurons "one/0"
// BITS-NEXT:    expected: index_bits + 1 + delay_bits of at most 16, the bits of a word below the weight
// BITS-NEXT:    found: 17

// The bits of an index are those that the chip derives from the number of neurons.
// RUN: mutate '/one.0. of/s/index_bits = 1/index_bits = 0/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FEW
// RUN: mutate '/one.0. of/s/index_bits = 1/index_bits = 2/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MANY
// FEW:        error[CHI002]: index_bits are not those of the neurons
// FEW-NEXT:     at: spinnaker.neurons "one/0"
// FEW-NEXT:     expected: index_bits = 1, for 2 neurons
// FEW-NEXT:     found: 0
// MANY:       error[CHI002]: index_bits are not those of the neurons
