// RUN: not nopt %s --split-input-file -p 'ntensor-retime' 2>&1 | filecheck %s

// (x + 4) >> 1 is not (x >> 1) + (4 >> 1) for every x, so the bias is not moved, and acts too early.
// CHECK: error[LEG058]: a population does not wait for its delayed input
// CHECK-NEXT:   at: ntensor.neuron "a"
// CHECK-NEXT:   expected: the same state for 1 ticks without any event
// CHECK-NEXT:   found: another one
// CHECK-NEXT:   help: nopt {{.*}}bias_retiming-errors.mlir --split-input-file -p 'ntensor-retime{allow-early=true}'
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-128, 127>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.cmp gt %x, %0 : !fixed.int<-128, 127>, !fixed.int<0, 0>
  ntensor.emit %1 : i1
}
ntensor.network @rounded("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0], [0, 1]] : tensor<2x2xi8>>, bias = #nopt.array<[4, 0] : tensor<2xi8>>, exponent = #nopt.array<-1 : tensor<i8>>} : tensor<2xi1> -> tensor<2xi8>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xi8>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}

// -----

// Without its bias the sum would exceed i8: 100 - 128 - 20 fits, -148 does not.
// CHECK: error[LEG058]: a population does not wait for its delayed input
// CHECK-NEXT:   at: ntensor.neuron "narrow"
// CHECK-NEXT:   expected: the same state for 1 ticks without any event
// CHECK-NEXT:   found: another one
// CHECK-NEXT:   help: nopt {{.*}}bias_retiming-errors.mlir --split-input-file -p 'ntensor-retime{allow-early=true}'
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-128, 127>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.cmp gt %x, %0 : !fixed.int<-128, 127>, !fixed.int<0, 0>
  ntensor.emit %1 : i1
}
ntensor.network @narrow("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[-128, -20]] : tensor<1x2xi8>>, bias = #nopt.array<[100] : tensor<1xi8>>} : tensor<2xi1> -> tensor<1xi8>
  %a = ntensor.neuron "narrow" @over(%h) {params = {}, initial = {}} : (tensor<1xi8>) -> tensor<1xi1>
  ntensor.output %a : tensor<1xi1>
}
