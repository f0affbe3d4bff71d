// RUN: python %S/inputs/save.py %t.npy '[[1, 0], [1, 1]]'
// RUN: not nopt run %s --input %t.npy 2>&1 | filecheck %s
// RUN: nopt run %S/inputs/wide.mlir --input %t.npy
// RUN: not nopt run %S/inputs/beyond.mlir --input %t.npy 2>&1 | filecheck %s --check-prefix=BEYOND

// Integer sums are exact, so an overflow of the type is refused when it occurs: 100 + 100 > 127. With the type in the help
// line, no input can overflow.
// CHECK: error[SIM022]: a sum leaves i8
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: -128..127
// CHECK-NEXT: found: 200; all sums lie in 0..200
// CHECK-NEXT: help: give the result i9

// Two weights of 2^62 have a sum beyond 64 bits, which must not wrap.
// BEYOND: error[SIM022]: the weights of one neuron add up to more than 61 bits
// BEYOND-NEXT: at: ntensor.linear "fc"
// BEYOND-NEXT: expected: below 2305843009213693952
// BEYOND-NEXT: found: 9223372036854775808
// BEYOND-NEXT: help: make weights narrower

ntensor.network @narrow("x" %x: tensor<2xi1>) -> ("y": tensor<1xi8>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 100]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  ntensor.output %y : tensor<1xi8>
}
