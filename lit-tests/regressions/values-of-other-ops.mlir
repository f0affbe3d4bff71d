// RUN: nopt %s -p 'ntensor-fit-axon-types{types=1}' | filecheck %s

// A neuron has one value for both ops: the median of -150, -150 and -100. The result of "side" had 8 bits, which do not hold -150. It is widened, and the sum
// that reads it holds both.
// CHECK:      ntensor.linear "fc" {{.*}} {weight = #nopt.array<{{\[\[}}-150, -150]] : tensor<1x2xi16>>
// CHECK:      ntensor.linear "side" {{.*}} {weight = #nopt.array<{{\[\[}}-150]] : tensor<1x1xi16>>, {{.*}} : tensor<1xi1> -> tensor<1xi16>
// CHECK-NEXT: ntensor.sum {{.*}} : (tensor<1xi16>, tensor<1xi16>) -> tensor<1xi16>
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @net("in" %x: tensor<2xi1>, "more" %w: tensor<1xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[-150, -150]] : tensor<1x2xi16>>} : tensor<2xi1> -> tensor<1xi16>
  %b = ntensor.linear "side" %w {weight = #nopt.array<[[-100]] : tensor<1x1xi8>>} : tensor<1xi1> -> tensor<1xi8>
  %y = ntensor.sum %a, %b : (tensor<1xi16>, tensor<1xi8>) -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
