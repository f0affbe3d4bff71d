// RUN: python %S/inputs/save.py %t.npy '[[1, 0], [1, 1]]'
// RUN: not nopt run %s --input %t.npy 2>&1 | filecheck %s
// RUN: nopt %s -p ntensor-freeze-plasticity -o %t.mlir
// RUN: nopt run %t.mlir --input %t.npy
// RUN: not nopt run %S/inputs/constant.mlir --input %t.npy 2>&1 | filecheck %s --check-prefix=FOREIGN
// RUN: not nopt run %S/inputs/age.mlir --input %t.npy 2>&1 | filecheck %s --check-prefix=AGE
// RUN: nopt %S/inputs/age.mlir -p 'ntensor-clamp-delays{max-delay=1000}' -o %t.mlir
// RUN: nopt run %t.mlir --input %t.npy

// A rule needs the spikes of a population, and is not ignored silently.
// CHECK: error[NTE025]: the sums of a plastic synapse do not reach one population
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: sums that reach one population, through sums, reshapes and delays alone
// CHECK-NEXT: found: ntensor.output
// CHECK-NEXT: help: nopt run {{.*}}plan-errors.mlir --input {{.*}}plan-errors.mlir.tmp.npy -p ntensor-freeze-plasticity

// A network must contain only ops of its own dialect.
// FOREIGN: error[SIM024]: the engine cannot run arith.constant
// FOREIGN-NEXT: at: arith.constant
// FOREIGN-NEXT: expected: an op of ntensor

// A delay of 10^12 ticks stores 2 spikes of each.
// AGE: error[SIM026]: the past of a delay does not fit into memory
// AGE-NEXT: at: ntensor.delay "age"
// AGE-NEXT: expected: at most {{.*}}, which is available now
// AGE-NEXT: found: 1862 GiB for 1000000000000 ticks
// AGE-NEXT: help: nopt run {{.*}}age.mlir --input {{.*}}plan-errors.mlir.tmp.npy -p 'ntensor-clamp-delays{max-delay=1000}'

ntensor.network @changing("x" %x: tensor<2xi1>) -> ("y": tensor<1xf32>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {
    weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>,
    plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>
  } : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
