// RUN: python %S/inputs/save.py %t.npy '[[1, 0], [1, 1]]'
// RUN: not nopt run %s --input %t.npy 2>&1 | filecheck %s
// RUN: not nopt run %S/inputs/constant.mlir --input %t.npy 2>&1 | filecheck %s --check-prefix=FOREIGN

// Integer sums are exact, so one that its type does not hold is refused when it occurs: 100 + 100 > 127.
// CHECK: error[RUN006]: a sum leaves i8
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: -128..127
// CHECK-NEXT: found: 200
// CHECK-NEXT: help: give the result a wider integer type

// A network is made of ops of its own dialect.
// FOREIGN: error[RUN008]: the engine cannot run arith.constant
// FOREIGN-NEXT: at: arith.constant
// FOREIGN-NEXT: expected: an op of ntensor

ntensor.network @narrow("x" %x: tensor<2xi1>) -> ("y": tensor<1xi8>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 100]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  ntensor.output %y : tensor<1xi8>
}
