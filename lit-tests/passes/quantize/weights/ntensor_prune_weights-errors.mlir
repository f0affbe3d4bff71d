// RUN: not nopt %s -p 'ntensor-prune-weights{share=1.5}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-prune-weights{share=0.5}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-prune-weights{nodes=of}' 2>&1 | filecheck %s --check-prefix=NODE

// CHECK: error[QUA060]: the share of pruned weights is out of range
// CHECK-NEXT: at: share=1.5
// CHECK-NEXT: expected: above 0 and below 1
// CHECK-NEXT: found: 1.5
// CHECK-NEXT: help: nopt {{.*}}ntensor_prune_weights-errors.mlir -p ntensor-prune-weights
// NODE: error[ANA031]: ntensor-prune-weights has no node "of" to work on
// NODE: help: nopt {{.*}}ntensor_prune_weights-errors.mlir -p 'ntensor-prune-weights{nodes=fc}'
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
