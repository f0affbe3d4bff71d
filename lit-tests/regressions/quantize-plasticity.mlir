// A sweep, a table of levels and --verify-equivalence started with the network before plasticity was frozen. They start after that pass.
// RUN: python %S/../targets/reference/inputs/save.py %t.npy '[[1, 0], [1, 1]]'
// RUN: exits 1 nopt run %s --input %t.npy --levels -p ntensor-quantize-weights 2>&1 | filecheck %s
// RUN: exits 1 nopt sweep %s --input %t.npy --vary weights.bits=4 2>&1 | filecheck %s
// RUN: exits 1 nopt %s --verify-equivalence %t.npy -p ntensor-quantize-weights 2>&1 | filecheck %s
// RUN: nopt run %s --input %t.npy --levels -p ntensor-freeze-plasticity,ntensor-quantize-weights | filecheck %s --check-prefix=LEVELS
// RUN: nopt sweep %s --input %t.npy -p ntensor-freeze-plasticity --vary weights.bits=4 | filecheck %s --check-prefix=SWEEP
// RUN: nopt %s --verify-equivalence %t.npy -p ntensor-freeze-plasticity,ntensor-quantize-weights -o /dev/null 2>&1 | filecheck %s --check-prefix=LOOK
// CHECK:      error[NTE025]: the sums of a plastic synapse do not reach one population
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: sums that reach one population, through sums, reshapes and delays alone
// CHECK-NEXT:   found: ntensor.output
// CHECK-NEXT:   help: nopt {{.*}} -p ntensor-freeze-plasticity{{.*}}
// LEVELS: ntensor-freeze-plasticity
// LEVELS: ntensor-quantize-weights
// SWEEP: weights.bits
// LOOK-NOT: ntensor-freeze-plasticity:
// LOOK: ntensor-quantize-weights:
ntensor.network @learns("in" %in: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %in {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
