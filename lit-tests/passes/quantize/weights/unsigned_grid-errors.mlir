// Weights below 0 become 0, with a warning; a row of them is not one whose weights are too small.
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=1 grid=unsigned}' -o /dev/null 2>&1 | filecheck %s --check-prefix=NEGATIVE
// NEGATIVE:      warning[ANA028]: all weights of a row become zero
// NEGATIVE-NEXT:   at: ntensor.linear "fc"
// NEGATIVE-NEXT:   expected: a weight of half a step, 0.75, or more in each row
// NEGATIVE-NEXT:   found: 1 of 3: row 1; the largest weight there is 0.5
// NEGATIVE-NEXT:   help: nopt {{.*}}unsigned_grid-errors.mlir -p 'ntensor-quantize-weights{bits=1 per=neuron grid=unsigned}' -o {{.*}}null
// NEGATIVE-NEXT:   note: weight[0, 0] = 1.5 in row 0 determines the scale
// NEGATIVE-NEXT: warning[QUA022]: weights below 0 become 0
// NEGATIVE-NEXT:   at: ntensor.linear "fc"
// NEGATIVE-NEXT:   expected: weights of 0 and above for an unsigned grid
// NEGATIVE-NEXT:   found: 2 of 6, down to -1, in 2 of 3: row 1, row 2
// NEGATIVE-NEXT:   help: nopt {{.*}}unsigned_grid-errors.mlir -p 'ntensor-quantize-weights{bits=2}' -o {{.*}}null
// NEGATIVE-NOT: warning

// With 15 unsigned bits integers have 16 signed ones, which is the most.
// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=16 grid=unsigned}' -o /dev/null 2>&1 | filecheck %s --check-prefix=BITS
// BITS:      error[QUA042]: the bits of weights are out of range
// BITS-NEXT:   at: bits=16
// BITS-NEXT:   expected: 1 to 15 for an unsigned grid
// BITS-NEXT:   found: 16
// BITS-NEXT:   help: nopt {{.*}}unsigned_grid-errors.mlir -p 'ntensor-quantize-weights{bits=15 grid=unsigned}' -o {{.*}}null
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<3xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.5, 0.0], [-1.0, 0.5], [-0.5, 0.0]] : tensor<3x2xf64>>} : tensor<2xi1> -> tensor<3xf64>
  ntensor.output %y : tensor<3xf64>
}
