// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=15},ntensor-lower-pools{bits=17}' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=15},ntensor-lower-pools{kernel=1}' 2>&1 | filecheck %s --check-prefix=KERNEL
// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=15},ntensor-lower-pools{nodes=if}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: not nopt %S/../inputs/counts.mlir -p ntensor-lower-pools 2>&1 | filecheck %s --check-prefix=TIME

// BITS:      error[LEG005]: the bits of the counts of a pool are out of range
// BITS-NEXT:   at: bits=17
// BITS-NEXT:   expected: 1 to 16
// BITS-NEXT:   found: 17
// BITS-NEXT:   help: nopt {{.*}}counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=15},ntensor-lower-pools{bits=16}'

// KERNEL:      error[LEG006]: a kernel is smaller than that of a pool
// KERNEL-NEXT:   at: ntensor.avg_pool2d "pool"
// KERNEL-NEXT:   expected: kernel=2 or more
// KERNEL-NEXT:   found: kernel=1
// KERNEL-NEXT:   help: nopt {{.*}}counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=15},ntensor-lower-pools{kernel=2}'

// NODE:      error[ANA031]: ntensor-lower-pools has no node "if" to work on
// NODE-NEXT:   at: nodes
// NODE-NEXT:   expected: one of pool

// TIME: error[NTE009]: no network in ticks
