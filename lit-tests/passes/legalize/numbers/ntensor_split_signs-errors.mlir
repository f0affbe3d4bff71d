// RUN: not nopt %s --split-input-file -p ntensor-split-signs 2>&1 | filecheck %s
// RUN: exits 1 nopt check %S/../../../targets/asic/inputs/net.mlir --target asic/host --dt 1ms --like norse --passes ntensor-split-signs 2>&1 | filecheck %s --check-prefix=REAL

// A network of reals cannot be split. On its own, the device makes its weights integers first.
// REAL: error[LEG062]: weights of both signs meet in a sum that cannot be split

// 4 - 4 saturates at 7 in another order than 4 and -4 apart.
// CHECK:      error[LEG062]: weights of both signs meet in a sum that cannot be split
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: a sum of integers
// CHECK-NEXT:   found: a sum of !ntensor.terms<4>
// CHECK-NEXT:   help: nopt check {{.*}} --target auto
ntensor.update @each <spike> states ["v"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-8, 7>
  ntensor.initial %1 : !fixed.int<-8, 7>
} step {
^bb0(%v: !fixed.int<-8, 7>):
  %2 = fixed.constant 5 : !fixed.int<5, 5>
  %3 = fixed.cmp gt %v, %2 : !fixed.int<-8, 7>, !fixed.int<5, 5>
  ntensor.emit %3, %v : i1, !fixed.int<-8, 7>
} each ["a"] into ["v"] accumulate {
^bb0(%a: !fixed.int<-8, 7>, %v: !fixed.int<-8, 7>):
  %4 = fixed.add %v, %a : !fixed.int<-8, 7>, !fixed.int<-8, 7> -> !fixed.int<-16, 14>
  %5 = fixed.saturate %4 : !fixed.int<-16, 14> -> !fixed.int<-8, 7>
  ntensor.accumulated %5 : !fixed.int<-8, 7>
}
ntensor.network @terms("in" %x: tensor<3xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[4, 4, -4]] : tensor<1x3xi8>>} : tensor<3xi1> -> tensor<1x!ntensor.terms<4>>
  %z = ntensor.neuron "lif" @each(%y) {params = {}, initial = {v = #nopt.array<0 : tensor<i64>>}} : (tensor<1x!ntensor.terms<4>>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Reals are added in their order.
// CHECK:      error[LEG062]: weights of both signs meet in a sum that cannot be split
// CHECK:        found: a sum of f64
ntensor.update @real <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, -0.5]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @real(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// A negative exponent rounds the whole sum.
// CHECK:      error[LEG062]: weights of both signs meet in a sum that cannot be split
// CHECK:        found: a sum that a negative exponent rounds
ntensor.update @whole <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[3, -1]] : tensor<1x2xi8>>, exponent = #nopt.array<[-1] : tensor<1xi8>>} : tensor<2xi1> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @whole(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Weights that change may change their sign.
// CHECK:      error[LEG063]: weights that change cannot be split by their signs
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: weights that stay as they are
// CHECK-NEXT:   found: nir.stdp
// CHECK-NEXT:   help: nopt {{.*}}ntensor_split_signs-errors.mlir --split-input-file -p ntensor-freeze-plasticity,ntensor-split-signs
ntensor.update @whole <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[3, 1]] : tensor<1x2xi8>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, -1.0, 1.0>} : tensor<2xi1> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @whole(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
