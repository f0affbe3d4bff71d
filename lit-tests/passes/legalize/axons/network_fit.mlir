// RUN: nopt %s -p 'ntensor-fit-axon-types{types=1}' | filecheck %s --check-prefix=ALONE
// RUN: nopt %s -p 'ntensor-calibrate{data="poisson:0.3,ticks=40,samples=8" keep=8},ntensor-fit-axon-types{types=1}' | filecheck %s
// RUN: nopt %s -p 'ntensor-calibrate{data="poisson:0.3,ticks=40,samples=8" keep=8},ntensor-fit-axon-types{types=2}' | filecheck %s --check-prefix=EXACT

// One value for four weights, of which the first three have sources that are always equal and reach the threshold of 20 together, by 21. The least error of
// the weights has the value 30 for the last source, and loses these three.
// ALONE:               "weights fitted to 1 value for each neuron"
// ALONE:               ntensor.linear "fc"
// ALONE-SAME{LITERAL}: [[0, 0, 0, 30]] : tensor<1x4xi8>>

// By the inputs, one of the three sources stands for all, and the value is between 21 and 30.
// CHECK:          weights fitted to 1 value for each neuron; by the inputs of 8 samples, on 4 samples: count error 0, 0 of decisions
// CHECK-SAME:     by the errors of weights alone: count error
// CHECK:          ntensor.linear "fc"
// CHECK-SAME:     2{{[2-9]}}]] : tensor<1x4xi8>>

// A fit without an error needs no samples, and leaves no record.
// EXACT-NOT: approximations
// EXACT:     ntensor.linear "fc"
ntensor.update @relay <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-128, 127>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-128, 127>, !fixed.int<0, 0>
  ntensor.emit %1 : i1
}
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 20 : !fixed.int<20, 20>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<20, 20>
  ntensor.emit %1 : i1
}
ntensor.network @correlated("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000000 : i64} {
  %c = ntensor.linear "copy" %x {weight = #nopt.array<[[1, 0], [1, 0], [1, 0], [0, 1]] : tensor<4x2xi8>>} : tensor<2xi1> -> tensor<4xi8>
  %s = ntensor.neuron "copies" @relay(%c) {params = {}, initial = {}} : (tensor<4xi8>) -> tensor<4xi1>
  %y = ntensor.linear "fc" %s {weight = #nopt.array<[[7, 7, 7, 30]] : tensor<1x4xi8>>} : tensor<4xi1> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
