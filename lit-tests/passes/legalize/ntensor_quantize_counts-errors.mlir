// RUN: not nopt %S/inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-convert-to-rates{window=30},ntensor-quantize-counts{bits=0}' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: not nopt %S/inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-convert-to-rates{window=30},ntensor-quantize-counts{nodes=pool}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: not nopt %S/inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-counts{nodes=if}' 2>&1 | filecheck %s --check-prefix=SPIKES
// RUN: not nopt %S/inputs/counts.mlir -p 'ntensor-quantize-counts' 2>&1 | filecheck %s --check-prefix=TIME

// BITS:      error[QCT001]: the bits of counts are out of range
// BITS-NEXT:   at: bits=0
// BITS-NEXT:   expected: 1 to 16
// BITS-NEXT:   found: 0
// BITS-NEXT:   help: ntensor-quantize-counts{bits=1}

// A pool has no counts of its own.
// NODE:      error[QNO001]: ntensor-quantize-counts has no node "pool" to work on
// NODE-NEXT:   at: nodes
// NODE-NEXT:   expected: one of if, if2

// A population of spikes is not a layer yet.
// SPIKES:      error[QNO001]: ntensor-quantize-counts has no node "if" to work on
// SPIKES-NEXT:   at: nodes
// SPIKES-NEXT:   expected: none

// TIME: error[QNO002]: no network in ticks
