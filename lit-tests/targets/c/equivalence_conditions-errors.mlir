// RUN: python %S/../reference/inputs/save.py %t.npy '[[1, 0], [1, 1]]'
// RUN: exits 1 nopt run %s --input %t.npy --engine native 2>&1 | filecheck %s
// RUN: python %S/../reference/inputs/save.py %t.npy '[[1, 0], [1, 0]]'
// RUN: nopt run %s --input %t.npy -v 2>&1 | filecheck %s --check-prefix=AUTO
// RUN: exits 1 nopt run %S/../reference/inputs/beyond.mlir --input %t.npy --engine native 2>&1 | filecheck %s --check-prefix=BEYOND
// RUN: exits 1 nopt run %S/inputs/changing.mlir --input %t.npy --engine native 2>&1 | filecheck %s --check-prefix=PLASTIC

// RUN: nopt run %s --input %t.npy --engine native -p ntensor-widen-sums | filecheck %s --check-prefix=HELP
// RUN: exits 1 nopt compile %s --target c -o %t.out 2>&1 | filecheck %s
// RUN: rm -rf %t.out
// RUN: nopt compile %s --target c -p ntensor-widen-sums -o %t.out

// The reference checks every sum and refuses an overflow. C does not check, so a network whose sums could overflow is refused.
// The help line works in both verbs.
// HELP: engine native: {{[0-9.]+}} s
// CHECK: error[CSR017]: a sum can leave i8
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: -128..127
// CHECK-NEXT: found: sums in 0..200: 9 bits
// CHECK-NEXT: help: nopt {{.*}} -p ntensor-widen-sums

// This input causes no overflow, and the reference runs.
// AUTO: engine numpy: {{[0-9.]+}} s
// AUTO-NEXT: remark[RUN016]: numpy runs this network, not native
// AUTO-NEXT: at: --engine auto
// AUTO-NEXT: found: "fc": a sum can leave i8, found sums in 0..200: 9 bits
// AUTO-NEXT: help: nopt run {{.*}}equivalence_conditions-errors.mlir --input {{.*}}equivalence_conditions-errors.mlir.tmp.npy -p ntensor-widen-sums

// BEYOND: error[CSR017]: a sum is too wide for C
// BEYOND: found: sums in 0..9223372036854775808: 65 bits
// PLASTIC: error[NTE025]: the sums of a plastic synapse do not reach one population
// PLASTIC: help: nopt run {{.*}}changing.mlir --input {{.*}}equivalence_conditions-errors.mlir.tmp.npy --engine native -p ntensor-freeze-plasticity

ntensor.network @narrow("x" %x: tensor<2xi1>) -> ("y": tensor<1xi8>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 100]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  ntensor.output %y : tensor<1xi8>
}
