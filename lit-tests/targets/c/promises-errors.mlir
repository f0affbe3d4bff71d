// RUN: python %S/../reference/inputs/save.py %t.npy '[[1, 0], [1, 1]]'
// RUN: exits 1 nopt run %s --input %t.npy --engine native 2>&1 | filecheck %s
// RUN: python %S/../reference/inputs/save.py %t.npy '[[1, 0], [1, 0]]'
// RUN: nopt run %s --input %t.npy 2>&1 | filecheck %s --check-prefix=AUTO
// RUN: exits 1 nopt run %S/../reference/inputs/beyond.mlir --input %t.npy --engine native 2>&1 | filecheck %s --check-prefix=BEYOND
// RUN: exits 1 nopt run %S/inputs/changing.mlir --input %t.npy --engine native 2>&1 | filecheck %s --check-prefix=PLASTIC

// The reference looks at every sum and refuses one that leaves its type; C does not look, so it takes no network that could do that.
// CHECK: error[NAT001]: a sum can leave i8
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: -128..127
// CHECK-NEXT: found: sums in 0..200
// CHECK-NEXT: help: give the result i9, or run with --engine numpy

// This input makes no such sum, and the reference runs.
// AUTO: numpy, {{[0-9.]+}} s
// AUTO-NEXT: remark[ENG003]: numpy runs this network, not native
// AUTO-NEXT: at: --engine auto
// AUTO-NEXT: found: "fc": a sum can leave i8, found sums in 0..200
// AUTO-NEXT: help: give the result i9, or run with --engine numpy

// BEYOND: error[NAT001]: a sum can leave i64
// PLASTIC: error[NAT001]: weights that change do not run in C
// PLASTIC: help: -p ntensor-freeze-plasticity

ntensor.network @narrow("x" %x: tensor<2xi1>) -> ("y": tensor<1xi8>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 100]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  ntensor.output %y : tensor<1xi8>
}
