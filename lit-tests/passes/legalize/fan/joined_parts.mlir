// RUN: nopt %s -p 'ntensor-split-fan-in{max-fan-in=4 code=spikes load=0.5 join=true}' | filecheck %s

// The parts of one sign are one population. Neuron 0 has five positive weights, which are two parts, and neuron 1 has two, in the second part alone:
// three entries, of which the last two are the second part. A spike is worth half of the largest sum of a part, 16 / 2 = 8 for neuron 0 and 2 / 2 = 1 for
// neuron 1, and a sparse op adds both entries of neuron 0.
// CHECK-LABEL: ntensor.network @signs
// CHECK-NEXT:    ntensor.sparse_linear "fc.plus" %x {weight = #nopt.array<[1.0, 3.0, 5.0, 7.0, 1.0, 9.0, 1.0] : tensor<7xf64>>, source = #nopt.array<[0, 2, 3, 4, 4, 5, 5] : tensor<7xi32>>, target = #nopt.array<[0, 0, 0, 1, 2, 1, 2] : tensor<7xi32>>} : tensor<7xi1> -> tensor<3xf64>
// CHECK-NEXT:    ntensor.neuron "lif.plus" @partial_sum({{.*}}) {machine.added, {{.*}}params = {v_threshold = #nopt.array<[8.0, 8.0, 1.0] : tensor<3xf64>>}
// CHECK-NEXT:    ntensor.sparse_linear "lif.plus.sum" {{.*}} {weight = #nopt.array<[8.0, 8.0, 1.0] : tensor<3xf64>>, source = #nopt.array<[0, 1, 2] : tensor<3xi32>>, target = #nopt.array<[0, 0, 1] : tensor<3xi32>>} : tensor<3xi1> -> tensor<2xf64>
// CHECK-NEXT:    ntensor.sparse_linear "fc.minus" %x {weight = #nopt.array<[2.0, 4.0] : tensor<2xf64>>, {{.*}}target = #nopt.array<[0, 0] : tensor<2xi32>>} : tensor<7xi1> -> tensor<1xf64>
// CHECK-NEXT:    ntensor.neuron "lif.minus"
// CHECK-NEXT:    ntensor.sparse_linear "lif.minus.sum" {{.*}} {weight = #nopt.array<[-8.0] : tensor<1xf64>>
// CHECK-NEXT:    ntensor.sum
// CHECK-NEXT:    ntensor.neuron "lif" @lif
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @signs("in" %x: tensor<7xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, -2.0, 3.0, 5.0, 7.0, 9.0, -4.0], [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0]] : tensor<2x7xf64>>} : tensor<7xi1> -> tensor<2xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// Synapses of two sources stay two ops, whose sums are added before the population.
// CHECK-LABEL: ntensor.network @sources
// CHECK:         %[[A:.*]] = ntensor.sparse_linear "a.plus" {{.*}} -> tensor<2xf64>
// CHECK-NEXT:    %[[B:.*]] = ntensor.sparse_linear "b.plus" {{.*}} -> tensor<2xf64>
// CHECK-NEXT:    %[[C:.*]] = ntensor.sum %[[A]], %[[B]]
// CHECK-NEXT:    ntensor.neuron "lif.plus" @partial_sum(%[[C]])
ntensor.network @sources("p" %a: tensor<3xi1>, "q" %b: tensor<3xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %x = ntensor.linear "a" %a {weight = #nopt.array<[[1.0, 2.0, 3.0]] : tensor<1x3xf64>>} : tensor<3xi1> -> tensor<1xf64>
  %y = ntensor.linear "b" %b {weight = #nopt.array<[[4.0, 5.0, 6.0]] : tensor<1x3xf64>>} : tensor<3xi1> -> tensor<1xf64>
  %s = ntensor.sum %x, %y : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%s) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// A delay after the synapses keeps the parts populations of their own.
// CHECK-LABEL: ntensor.network @late
// CHECK:         ntensor.neuron "lif.plus0"
// CHECK:         ntensor.neuron "lif.plus1"
ntensor.network @late("in" %x: tensor<5xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 3.0, 5.0, 7.0, 9.0]] : tensor<1x5xf64>>} : tensor<5xi1> -> tensor<1xf64>
  %y = ntensor.delay "late" %a {ticks = #nopt.array<2 : tensor<i64>>} : tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
