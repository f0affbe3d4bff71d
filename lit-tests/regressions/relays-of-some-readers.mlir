// A delay of one tick is read by synapses, and by another delay of one tick. The relay of both moved the first delay in front of itself, so that the
// synapses read a relay without a delay; legalisation delayed them again, for ever: biases of two layers on DYNAP-SE2 were refused (DEV016).

// RUN: nopt %s -p 'ntensor-relay-delays{max-delay=1}' | filecheck %s
// RUN: nopt %s -p 'ntensor-relay-delays{max-delay=1},ntensor-relay-delays{max-delay=1}' | filecheck %s

// CHECK:      %a = ntensor.delay "a" %x {ticks = #nopt.array<1 : tensor<i8>>}
// CHECK-NEXT: %[[RELAY:[0-9]+]] = ntensor.neuron "a.relay1" @relay_spike(%a)
// CHECK-NEXT: %one = ntensor.linear "one" %a
// CHECK-NEXT: %b = ntensor.delay "b" %[[RELAY]] {ticks = #nopt.array<1 : tensor<i8>>}
// CHECK-NEXT: %two = ntensor.linear "two" %b

ntensor.network @net("x" %x: tensor<2xi1>) -> ("first": tensor<2xf64>, "second": tensor<2xf64>) attributes {tick_ns = 1000000} {
  %a = ntensor.delay "a" %x {ticks = #nopt.array<1 : tensor<i8>>} : tensor<2xi1>
  %one = ntensor.linear "one" %a {weight = #nopt.array<[[1.0, 0.5], [0.25, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.delay "b" %a {ticks = #nopt.array<1 : tensor<i8>>} : tensor<2xi1>
  %two = ntensor.linear "two" %b {weight = #nopt.array<[[1.0, 0.5], [0.25, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  ntensor.output %one, %two : tensor<2xf64>, tensor<2xf64>
}
