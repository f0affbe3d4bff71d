// The help of each refusal works.
// RUN: not nopt %s -p 'ntensor-fit-weight-masks{nodes=of}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: nopt %s -p 'ntensor-fit-weight-masks{nodes=fc}' -o /dev/null
// RUN: mutate 's/\[\[1.0, 0.3\]\] : tensor<1x2xf32>/"0x0000803f0000807f" : tensor<1x2xf32>/' %s | not nopt - -p ntensor-fit-weight-masks 2>&1 | filecheck %s --check-prefix=FINITE
// RUN: not nopt %S/../neurons/ntensor_quantize_state-errors.mlir -p ntensor-fit-weight-masks 2>&1 | filecheck %s --check-prefix=CONTINUOUS

// NODE: error[ANA031]: ntensor-fit-weight-masks has no node "of" to work on
// NODE: help: nopt {{.*}}ntensor_fit_weight_masks-errors.mlir -p 'ntensor-fit-weight-masks{nodes=fc}'
// FINITE: error[QUA030]: a weight is not finite
// FINITE: found: weight[0, 1] = inf
// CONTINUOUS: error[NTE009]: no network in ticks
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
