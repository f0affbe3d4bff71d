// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=30},ntensor-quantize-counts{bits=0}' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=30},ntensor-quantize-counts{nodes=pool}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-counts{nodes=if}' 2>&1 | filecheck %s --check-prefix=SPIKES
// RUN: not nopt %S/../inputs/counts.mlir -p 'ntensor-quantize-counts' 2>&1 | filecheck %s --check-prefix=TIME
// RUN: python -c 'import numpy; x = numpy.zeros((1, 30, 1, 4, 4), bool); x[:, :2] = True; x[..., 0, 0] = True; numpy.save("%t.npy", x)'
// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32},ntensor-encode-rates{window=30},ntensor-quantize-counts{bits=1 nodes=if data="%t.npy"}' -o /dev/null 2>&1 | filecheck %s --check-prefix=LOST
// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32},ntensor-encode-rates{window=30},ntensor-quantize-counts{bits=4 nodes=if data="%t.npy"}' -o /dev/null 2>&1 | filecheck %s --check-prefix=KEPT --allow-empty

// 15 of 16 pixels have counts of 1 and 3, and one has 29 and 30, which determine the unit of one bit.
// LOST:      warning[LEG081]: most counts become 0
// LOST-NEXT:   at: ntensor.neuron "if"
// LOST-NEXT:   expected: counts above half a unit of {{[0-9.]+}} spikes
// LOST-NEXT:   found: 30 of 32 counts of the data with at most {{[0-9]+}}
// LOST-NEXT:   help: nopt {{.*}}counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32},ntensor-encode-rates{window=30},ntensor-quantize-counts{bits=3 data="{{.*}}ntensor_quantize_counts-errors.mlir.tmp.npy" nodes=if}' -o {{.*}}null
// KEPT-NOT: LEG081

// BITS:      error[LEG080]: the bits of counts are out of range
// BITS-NEXT:   at: bits=0
// BITS-NEXT:   expected: 1 to 16
// BITS-NEXT:   found: 0
// BITS-NEXT:   help: nopt {{.*}}counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=30},ntensor-quantize-counts{bits=1}'

// A pool has no counts of its own.
// NODE:      error[ANA031]: ntensor-quantize-counts has no node "pool" to work on
// NODE-NEXT:   at: nodes
// NODE-NEXT:   expected: one of if, if2

// A population of spikes is not a layer yet.
// SPIKES:      error[ANA031]: ntensor-quantize-counts has no node "if" to work on
// SPIKES-NEXT:   at: nodes
// SPIKES-NEXT:   expected: none

// TIME: error[NTE009]: no network in ticks
