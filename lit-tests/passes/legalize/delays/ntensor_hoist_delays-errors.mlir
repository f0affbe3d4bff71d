// The pass refuses no network in ticks: a delay of events stays as it is.
// RUN: nopt %s -p ntensor-hoist-delays | filecheck %s
// RUN: not nopt %s -p 'ntensor-hoist-delays{max-delay=1}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for ntensor-hoist-delays
// OPTION: help: nopt passes ntensor-hoist-delays

// CHECK:      ntensor.delay "late" %x
// CHECK-NEXT: ntensor.linear "fc"
ntensor.network @late("in" %x: tensor<2xi1>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000} {
  %d = ntensor.delay "late" %x {ticks = #nopt.array<3 : tensor<i64>>} : tensor<2xi1>
  %y = ntensor.linear "fc" %d {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  ntensor.output %y : tensor<2xf64>
}
