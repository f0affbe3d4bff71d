// RUN: not nopt %s -p 'ntensor-remove-dead{keep=fcc}' 2>&1 | filecheck %s
// CHECK: error[NRM001]: no node "fcc" to keep
// CHECK: expected: one of fc
// CHECK: help: nopt {{.*}}ntensor_remove_dead-errors.mlir -p 'ntensor-remove-dead{keep=fc}'

// The help line works.
// RUN: nopt %s -p 'ntensor-remove-dead{keep=fc}' | filecheck %s --check-prefix=KEPT
// RUN: nopt %s -p ntensor-remove-dead | filecheck %s --check-prefix=GONE
// KEPT: ntensor.linear "fc"
// GONE: ntensor.network @net
// GONE-NOT: ntensor.linear
ntensor.network @net("input" %x: tensor<1xf64>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %x : tensor<1xf64>
}
