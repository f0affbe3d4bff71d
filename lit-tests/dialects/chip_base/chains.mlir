// RUN: nopt %s -p 'ntensor-plan-cores{device="%S/../../passes/plan/inputs/small.json" set="core.neurons=4,synapse.bits=8"},convert-ntensor-to-machine' | filecheck %s

// A pool of 2 x 2 composed with a convolution of 1 x 3 with a zero in its middle, over 1 x 2 x 8 inputs: 4 pooled positions. Each neuron
// reads its left and right neighbour, with 4 inputs each. Neuron 0 has no left one, neuron 3 no right one: 4 + 8 + 8 + 4 paths. All 16
// inputs are read.
// CHECK-LABEL: machine.graph @folded
// CHECK:         machine.vertex "p/0" {{.*}} needs = {neurons = 4 : i64, synapses = 24 : i64, fan_in = 8 : i64, input_axons = 16 : i64,
// CHECK:         machine.edge "conv" : "x/0" -> "p/0" {synapses = 24 : i64, axons = 16 : i64, activity = 1.600000e+01 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
ntensor.update @lif <spike> inputs ["a"] states ["v"] params ["g"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 1.0 : f64
  ntensor.derived %0 : f64
} initial {
^bb0(%g: !fixed.int<0, 15>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.wrap %0 : !fixed.int<0, 0> -> !fixed.int<-32768, 32767>
  ntensor.initial %1 : !fixed.int<-32768, 32767>
} step {
^bb0(%a: !fixed.int<-32768, 32767>, %v: !fixed.int<-32768, 32767>, %g: !fixed.int<0, 15>):
  %0 = fixed.constant 2 : !fixed.int<2, 2>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<2, 2>
  ntensor.emit %1, %a : i1, !fixed.int<-32768, 32767>
}
ntensor.network @folded("x" %x: tensor<1x2x8xi1>) -> ("out": tensor<1x1x4xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x8xi1> -> tensor<1x1x4xi8>
  %y = ntensor.conv2d "conv" %a {weight = #nopt.array<[[[[1, 0, 1]]]] : tensor<1x1x1x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [1, 1]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x1x4xi8> -> tensor<1x1x4xi16>
  %p = ntensor.neuron "p" @lif(%y) {params = {g = #nopt.array<1 : tensor<i8>>}, initial = {v = #nopt.array<0 : tensor<i16>>}} : (tensor<1x1x4xi16>) -> tensor<1x1x4xi1>
  ntensor.output %p : tensor<1x1x4xi1>
}
