// RUN: nopt %s --split-input-file -p 'ntensor-split-fan-in{max-fan-in=3}' | filecheck %s

// Two ops of one neuron count together: two synapses of the first and one of the second form a part, the other two the next. Scales are
// kept, the bias belongs to the first part of its op, a delay to its synapse.
// CHECK-LABEL: ntensor.network @both
// CHECK:         ntensor.sparse_linear "fc.part0" {{.*}} {weight = #nopt.array<[1, 2] : tensor<2xi8>>, source = #nopt.array<[0, 2] : tensor<2xi32>>, target = {{.*}}, bias = #nopt.array<[3] : tensor<1xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.5 : tensor<f64>>>}
// CHECK:         ntensor.sparse_linear "side.part0" {{.*}} {weight = #nopt.array<[4] : tensor<1xi8>>, source = #nopt.array<[0] : tensor<1xi32>>, target = {{.*}}, delay = #nopt.array<[9] : tensor<1xi64>>}
// CHECK:         ntensor.neuron "lif.part0"
// CHECK:         ntensor.sparse_linear "side.part1" {{.*}} {weight = #nopt.array<[5, 6] : tensor<2xi8>>, source = #nopt.array<[1, 2] : tensor<2xi32>>, target = {{.*}}, delay = #nopt.array<[8, 7] : tensor<2xi64>>}
// CHECK:         ntensor.neuron "lif.part1"
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @both("in" %x: tensor<3xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2]] : tensor<1x3xi8>>, bias = #nopt.array<[3] : tensor<1xi8>>, quantized = #ntensor.quantized<8, #nopt.array<[[0.5]] : tensor<1x1xf64>>>} : tensor<3xi1> -> tensor<1xi16>
  %b = ntensor.sparse_linear "side" %x {weight = #nopt.array<[4, 5, 6] : tensor<3xi8>>, source = #nopt.array<[0, 1, 2] : tensor<3xi64>>, target = #nopt.array<[0, 0, 0] : tensor<3xi64>>, delay = #nopt.array<[9, 8, 7] : tensor<3xi64>>} : tensor<3xi1> -> tensor<1xi16>
  %y = ntensor.sum %a, %b : (tensor<1xi16>, tensor<1xi16>) -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// A convolution keeps its form, with the weights of other parts set to zero; each part has its own reshape.
// CHECK-LABEL: ntensor.network @conv
// CHECK:         [[A:%\S+]] = ntensor.conv1d "conv.part0" %{{\S+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[1, 2, 3, 0]]] : tensor<1x1x4xi8>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.reshape "flat.part0" [[A]]
// CHECK-NEXT:    ntensor.neuron "lif.part0" {{.*}}([[B]])
// CHECK:         [[C:%\S+]] = ntensor.conv1d "conv.part1" %{{\S+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[0, 0, 0, 4]]] : tensor<1x1x4xi8>>
// CHECK-NEXT:    [[D:%\S+]] = ntensor.reshape "flat.part1" [[C]]
// CHECK-NEXT:    ntensor.neuron "lif.part1" {{.*}}([[D]])
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @conv("in" %x: tensor<1x4xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.conv1d "conv" %x {weight = #nopt.array<[[[1, 2, 3, 4]]] : tensor<1x1x4xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1} : tensor<1x4xi1> -> tensor<1x1xi16>
  %y = ntensor.reshape "flat" %a : tensor<1x1xi16> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// A weight that reads a pool of two is two synapses, so that a part of three has one weight. The pool stays before all parts.
// CHECK-LABEL: ntensor.network @pooled
// CHECK:         [[P:%\S+]] = ntensor.sum_pool2d "pool"
// CHECK:         ntensor.conv2d "conv.part0" [[P]] {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[[1, 0]]]] : tensor<1x1x1x2xi8>>
// CHECK:         ntensor.conv2d "conv.part1" [[P]] {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[[0, 2]]]] : tensor<1x1x1x2xi8>>
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @pooled("in" %x: tensor<1x1x4xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %p = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x4xi1> -> tensor<1x1x2xi16>
  %a = ntensor.conv2d "conv" %p {weight = #nopt.array<[[[[1, 2]]]] : tensor<1x1x1x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1} : tensor<1x1x2xi16> -> tensor<1x1x1xi16>
  %y = ntensor.reshape "flat" %a : tensor<1x1x1xi16> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// The third synapse of a part is left free by the pool, and taken by the next op.
// CHECK-LABEL: ntensor.network @beside
// CHECK:         ntensor.sparse_linear "fc.part0" {{.*}} {weight = #nopt.array<[1] : tensor<1xi8>>
// CHECK:         ntensor.neuron "lif.part0"
// CHECK:         ntensor.sparse_linear "fc.part1" {{.*}} {weight = #nopt.array<[2] : tensor<1xi8>>
// CHECK:         ntensor.sparse_linear "side.part1" {{.*}} {weight = #nopt.array<[3] : tensor<1xi8>>, source = #nopt.array<[0] : tensor<1xi32>>
// CHECK:         ntensor.neuron "lif.part1"
// CHECK:         ntensor.sparse_linear "side.part2" {{.*}} {weight = #nopt.array<[4] : tensor<1xi8>>, source = #nopt.array<[1] : tensor<1xi32>>
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @beside("in" %x: tensor<1x1x4xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %p = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x4xi1> -> tensor<1x1x2xi16>
  %f = ntensor.reshape "flat" %p : tensor<1x1x2xi16> -> tensor<2xi16>
  %g = ntensor.reshape "events" %x : tensor<1x1x4xi1> -> tensor<4xi1>
  %a = ntensor.linear "fc" %f {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>} : tensor<2xi16> -> tensor<1xi16>
  %b = ntensor.linear "side" %g {weight = #nopt.array<[[3, 4, 0, 0]] : tensor<1x4xi8>>} : tensor<4xi1> -> tensor<1xi16>
  %y = ntensor.sum %a, %b : (tensor<1xi16>, tensor<1xi16>) -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
