// RUN: not nopt %s -p 'ntensor-cluster-weights{count=0}' 2>&1 | filecheck %s
// RUN: nopt %s -p ntensor-cluster-weights -o /dev/null
// RUN: not nopt %s -p 'ntensor-cluster-weights{nodes=of}' 2>&1 | filecheck %s --check-prefix=NODE

// CHECK: error[QUA010]: the number of weight values is out of range
// CHECK-NEXT: at: count=0
// CHECK-NEXT: expected: 1 or more
// CHECK-NEXT: found: 0
// CHECK-NEXT: help: nopt {{.*}}ntensor_cluster_weights-errors.mlir -p 'ntensor-cluster-weights{count=2}'
// NODE: error[ANA031]: ntensor-cluster-weights has no node "of" to work on
// NODE: help: nopt {{.*}}ntensor_cluster_weights-errors.mlir -p 'ntensor-cluster-weights{nodes=fc}'
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
