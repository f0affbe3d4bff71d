// RUN: nopt %s -p 'ntensor-split-fan-in{max-fan-in=4 code=spikes load=0.5}' | filecheck %s

// Five positive weights are two parts, 1 + 3 + 5 = 9 and 7 + 9 = 16, two negative ones are another. A spike is worth half of the largest, 8. The bias
// stays a term of the sum, and each term has a copy of the delay.
// CHECK:       ntensor.update @partial_sum <spike> inputs ["x"] states ["v"]
// CHECK-LABEL: ntensor.network @reals
// CHECK-SAME:    approximations = [#ntensor.approximation<"ntensor-split-fan-in{max-fan-in=4 code=spikes load=0.5}", "split into partial sums of 4 synapses, sent as spikes of 0.5 of their weights", ["lif"], none, none, "none">]
// CHECK-NEXT:    %0 = ntensor.sparse_linear "fc.plus0" %x {weight = #nopt.array<[1.0, 3.0, 5.0] : tensor<3xf64>>, source = #nopt.array<[0, 2, 3] : tensor<3xi32>>, target = #nopt.array<[0, 0, 0] : tensor<3xi32>>} : tensor<7xi1> -> tensor<1xf64>
// CHECK-NEXT:    ntensor.delay "late.plus0"
// CHECK-NEXT:    ntensor.sparse_linear "fc.plus1" %x {weight = #nopt.array<[7.0, 9.0] : tensor<2xf64>>
// CHECK-NEXT:    ntensor.delay "late.plus1"
// CHECK-NEXT:    ntensor.sparse_linear "fc.minus0" %x {weight = #nopt.array<[2.0, 4.0] : tensor<2xf64>>
// CHECK-NEXT:    ntensor.delay "late.minus0"
// CHECK-NEXT:    ntensor.sparse_linear "fc.bias" %x {weight = {{.*}}tensor<0xf64>>, {{.*}}bias = #nopt.array<[0.25] : tensor<1xf64>>}
// CHECK-NEXT:    ntensor.delay "late.bias"
// CHECK-NEXT:    ntensor.neuron "lif.plus0" @partial_sum({{.*}}) {machine.added, family = "if", canonical = {{.*}}, params = {v_threshold = #nopt.array<8.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}}
// CHECK-NEXT:    ntensor.scale "lif.plus0.scale" {{.*}} {scale = #nopt.array<[8.0] : tensor<1xf64>>} : tensor<1xi1> -> tensor<1xf64>
// CHECK-NEXT:    ntensor.neuron "lif.plus1"
// CHECK-NEXT:    ntensor.scale "lif.plus1.scale"
// CHECK-NEXT:    ntensor.neuron "lif.minus0"
// CHECK-NEXT:    ntensor.scale "lif.minus0.scale" {{.*}} {scale = #nopt.array<[-8.0] : tensor<1xf64>>}
// CHECK-NEXT:    ntensor.sum
// CHECK-NEXT:    ntensor.neuron "lif" @lif
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @reals("in" %x: tensor<7xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, -2.0, 3.0, 5.0, 7.0, 9.0, -4.0]] : tensor<1x7xf64>>, bias = #nopt.array<[0.25] : tensor<1xf64>>} : tensor<7xi1> -> tensor<1xf64>
  %y = ntensor.delay "late" %a {ticks = #nopt.array<2 : tensor<i64>>} : tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// Both neurons read four of the same sources: all synapses of a part have the same four sources, which share the axons of a core.
// CHECK-LABEL: ntensor.network @shared
// CHECK:         ntensor.sparse_linear "fc.plus0" {{.*}}source = #nopt.array<[0, 1, 2, 2, 3, 3] : tensor<6xi32>>, target = #nopt.array<[0, 0, 0, 1, 0, 1] : tensor<6xi32>>
// CHECK-NEXT:    ntensor.sparse_linear "fc.plus1" {{.*}}source = #nopt.array<[4, 4, 5, 5, 6, 7] : tensor<6xi32>>, target = #nopt.array<[0, 1, 0, 1, 1, 1] : tensor<6xi32>>
// CHECK-NEXT:    ntensor.neuron "lif.plus0"
ntensor.network @shared("in" %x: tensor<8xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]] : tensor<2x8xf64>>} : tensor<8xi1> -> tensor<2xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// Each of four neurons reads five sources of its own, which would be five parts of four sources: each has two parts of its own synapses.
// CHECK-LABEL: ntensor.network @apart
// CHECK:         ntensor.sparse_linear "fc.plus0" {{.*}}source = #nopt.array<[0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17] : tensor<12xi32>>
// CHECK-NEXT:    ntensor.sparse_linear "fc.plus1" {{.*}}source = #nopt.array<[3, 4, 8, 9, 13, 14, 18, 19] : tensor<8xi32>>
// CHECK-NEXT:    ntensor.neuron "lif.plus0"
ntensor.network @apart("in" %x: tensor<20xi1>) -> ("out": tensor<4xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0] : tensor<20xf64>>, source = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19] : tensor<20xi32>>, target = #nopt.array<[0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3] : tensor<20xi32>>} : tensor<20xi1> -> tensor<4xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<4xf64>) -> tensor<4xi1>
  ntensor.output %z : tensor<4xi1>
}
