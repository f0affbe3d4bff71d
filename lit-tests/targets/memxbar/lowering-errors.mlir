// A weight of 32 exceeds a pair of cells with 5 bits; 31 fits.
// RUN: mutate 's/31/32/' 's/quantized<6/quantized<7/' %S/inputs/net.mlir | not nopt - -p convert-ntensor-to-memxbar 2>&1 | filecheck %s --check-prefix=WEIGHT
// RUN: nopt %S/inputs/net.mlir -p convert-ntensor-to-memxbar -o /dev/null
// WEIGHT:      error[MXB014]: a weight exceeds the cells that hold it
// WEIGHT-NEXT:   at: ntensor.linear "fc"
// WEIGHT-NEXT:   expected: at most 31 in 1 x 5 bits (memxbar/array128, features.cell_bits: {{.*}}
// WEIGHT-NEXT:   found: 32
// WEIGHT-NEXT:   help: nopt check - --target auto
// WEIGHT-NEXT:   note: quantise the weights to 6 bits before they become integers

// Sums of reals.
// RUN: nopt %S/inputs/real.mlir -o /dev/null
// RUN: not nopt %S/inputs/real.mlir -p convert-ntensor-to-memxbar 2>&1 | filecheck %s --check-prefix=REAL
// REAL:      error[MXB013]: an array produces sums of integers alone
// REAL-NEXT:   at: ntensor.linear "fc"
// REAL-NEXT:   expected: a result of integers
// REAL-NEXT:   found: f32

// A mean has no integers.
// RUN: not nopt %S/inputs/mean.mlir -p convert-ntensor-to-memxbar 2>&1 | filecheck %s --check-prefix=MEAN
// MEAN:      error[MXB012]: neither an array nor the digital periphery computes an op
// MEAN-NEXT:   at: ntensor.avg_pool2d "p"
// MEAN:        found: ntensor.avg_pool2d
