// The pass refuses no network. Integers are added without rounding, so their sums merge in every position.
// RUN: nopt %s -p ntensor-merge-sums | filecheck %s
// RUN: not nopt %s -p 'ntensor-merge-sums{order=any}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for ntensor-merge-sums
// OPTION: expected: any-order (bool)
// OPTION: help: nopt passes ntensor-merge-sums

// CHECK: ntensor.sum [[X:%.+]], [[X]], [[X]], [[X]] :
// CHECK-NOT: ntensor.sum
ntensor.network @integers("input" %x: tensor<1xi8>) -> ("output": tensor<1xi32>) attributes {tick_ns = 1000} {
  %0 = ntensor.sum %x, %x : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi32>
  %1 = ntensor.sum %x, %x, %0 : (tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1xi32>
  ntensor.output %1 : tensor<1xi32>
}
