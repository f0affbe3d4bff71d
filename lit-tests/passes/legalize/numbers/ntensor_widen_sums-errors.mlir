// RUN: not nopt %s -p ntensor-widen-sums 2>&1 | filecheck %s
// RUN: not nopt %S/../../../targets/reference/inputs/beyond.mlir -p ntensor-widen-sums 2>&1 | filecheck %s --check-prefix=BEYOND

// The neuron declares 8 bits without a mode: a wider sum has no defined result. 200 needs 9 bits, and the operand has 16.
// CHECK: error[LEG052]: a sum is wider than what holds it
// CHECK-NEXT: at: ntensor.neuron "n"
// CHECK-NEXT: expected: -128..127
// CHECK-NEXT: found: sums in 0..200: 9 bits
// CHECK-NEXT: help: quantize the weights to 1 bit fewer, on the network of reals

// BEYOND: error[LEG052]: a sum is wider than what holds it
// BEYOND: found: sums in 0..9223372036854775808: 65 bits
ntensor.update @narrow <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-128, 127>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-128, 127>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @net("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000000} {
  %fc = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 100]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  %z = ntensor.neuron "n" @narrow(%fc) {params = {}, initial = {}} : (tensor<1xi8>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
