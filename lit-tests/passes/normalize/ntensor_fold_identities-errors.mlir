// The pass refuses no network, and breaks no loop: the delay of one tick is kept, the one of zero ticks removed.
// RUN: nopt %s -p ntensor-fold-identities | filecheck %s
// RUN: not nopt %s -p 'ntensor-fold-identities{in-loops}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for ntensor-fold-identities
// OPTION: help: nopt passes ntensor-fold-identities

// CHECK: [[Y:%.+]] = ntensor.sum [[Z:%.+]], %{{.+}} :
// CHECK-NEXT: [[Z]] = ntensor.delay "one" [[Y]]
// CHECK-NEXT: ntensor.output [[Y]]
ntensor.network @loop("input" %x: tensor<1xf64>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.sum %z, %x : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %w = ntensor.delay "none" %y {ticks = #nopt.array<0 : tensor<i64>>} : tensor<1xf64>
  %z = ntensor.delay "one" %w {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
