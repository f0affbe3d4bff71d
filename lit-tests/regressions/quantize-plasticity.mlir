// A sweep, and a table of levels, begin before the passes, where weights still change: the note says so, and what it says works.
// RUN: python %S/../targets/reference/inputs/save.py %t.npy '[[1, 0], [1, 1]]'
// RUN: not nopt run %s --input %t.npy --levels -p ntensor-freeze-plasticity 2>&1 | filecheck %s
// RUN: not nopt sweep %s --input %t.npy -p ntensor-freeze-plasticity --vary weights.bits=4 2>&1 | filecheck %s
// RUN: nopt %s -p ntensor-freeze-plasticity -o %t.mlir
// RUN: nopt run %t.mlir --input %t.npy --levels -p ntensor-quantize-weights
// RUN: nopt sweep %t.mlir --input %t.npy --vary weights.bits=4
// CHECK: error[RUN009]: weights that change are not simulated
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK: note: what compares levels runs the network before its passes
ntensor.network @learns("in" %in: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %in {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
