// RUN: not nopt %s -p 'ntensor-relay-delays{max-delay=4}' 2>&1 | filecheck %s

// A signal that is not the output of a population is not relayed.
// CHECK: error[LEG035]: a long delay holds values
ntensor.network @currents("in" %x: tensor<2xi16>) -> ("out": tensor<2xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.delay "wait" %x {ticks = #nopt.array<40 : tensor<i64>>} : tensor<2xi16>
  ntensor.output %y : tensor<2xi16>
}
