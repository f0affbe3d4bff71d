// A sum with a negative exponent is rounded once, with its bias.
// RUN: not nopt %s -p ntensor-replace-biases 2>&1 | filecheck %s
// CHECK:      error[LEG055]: a bias cannot be replaced by synapses
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: a sum without a negative exponent, whose type holds it without the bias
// CHECK-NEXT:   found: another sum
// CHECK-NEXT:   help: remove the biases from the network, or choose a device that adds them

// Without the exponent it is replaced.
// RUN: mutate 's/, exponent = #nopt.array<-1 : tensor<i8>>//' %s | nopt - -p ntensor-replace-biases -o /dev/null
ntensor.update @whole <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @shifted("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, -2], [0, 3]] : tensor<2x2xi8>>, bias = #nopt.array<[5, -5] : tensor<2xi8>>, exponent = #nopt.array<-1 : tensor<i8>>} : tensor<2xi1> -> tensor<2xi16>
  %z = ntensor.neuron "lif" @whole(%y) {params = {}, initial = {}} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
