// RUN: nopt %s --split-input-file -p 'ntensor-fit-axon-types{types=2}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-fit-axon-types{types=2 copies=2},print-axon-types' -o /dev/null 2>&1 | filecheck %s --check-prefix=TWO
// RUN: nopt %s --split-input-file -p 'ntensor-fit-axon-types{types=2},ntensor-fit-axon-types{types=2}' | filecheck %s
// Neuron 0 has the weights 4, 9 and 5, neuron 1 has 7, 0 and 8. With types {0, 2} and {1}, the values are medians: 5 (or 4) and 9, 8 (or 7) and none;
// two weights of five are off by 1, so that the mean is 0.4. With two axons of each source, 9 = 4 + 5, and only the second source has two.
// CHECK-LABEL: ntensor.network @together
// CHECK-SAME{LITERAL}: approximations = [#ntensor.approximation<"ntensor-fit-axon-types{types=2}", "weights fitted to 2 values for each neuron", ["lif.fc"], 1.000000e+00 : f64, 4.000000e-01 : f64, "1">]
// CHECK-NEXT{LITERAL}: weight = #nopt.array<[[5, 9, 5], [8, 0, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[9, 5], [0, 8]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 1, 0], [0, 1, 0, 0], [0, 2, 1, 0]] : tensor<3x4xi32>>>
// TWO:      remark[LEG012]: axons are duplicated
// TWO-NEXT:   at: ntensor.network @together
// TWO-NEXT:   note: "lif": 4 axons of 3 sources, 4 in a slice at most; the error is 0.0 % of the weights
// TWO-NEXT: remark[MAP015]
// TWO:        note: "lif": 2 neurons, 4 axons of 3 sources (1 duplicates), types 2 + 2, 6 synapses
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @together("in" %x: tensor<3xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %zi = ntensor.linear "lif.fc" %x {weight = #nopt.array<[[4, 9, 5], [7, 0, 8]] : tensor<2x3xi8>>} : tensor<3xi1> -> tensor<2xi16>
  %z = ntensor.neuron "lif" @lif(%zi) {params = {}, initial = {}} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// Neurons of different slices choose types by themselves, so that all weights are exact, and nothing is recorded.
// CHECK-LABEL: ntensor.network @slices
// CHECK-NOT:     approximations
// CHECK-NEXT: weight = #nopt.array<{{\[\[}}1, 2, 1], [3, 3, 4]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = {{.*}}, slices = #nopt.array<[0, 1] : tensor<2xi32>>
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @slices("in" %x: tensor<3xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %zi = ntensor.linear "lif.fc" %x {weight = #nopt.array<[[1, 2, 1], [3, 3, 4]] : tensor<2x3xi8>>} : tensor<3xi1> -> tensor<2xi16>
  %z = ntensor.neuron "lif" @lif(%zi) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// A convolution stays one where equal weights stay equal. Here the sources in a row would need three types in turn, so that equal weights become different:
// the op becomes sparse, with the name and the bias of the convolution.
// CHECK-LABEL: ntensor.network @convolution
// CHECK:         ntensor.sparse_linear "conv" %x {weight = #nopt.array<[9, 9, 9, -7, 9, -7, 9, -7] : {{.*}}, axon_types = {{.*}}, bias = {{.*}}} : tensor<1x6xi1> -> tensor<1x3xi16>
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @convolution("in" %x: tensor<1x6xi1>) -> ("out": tensor<1x3xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv1d "conv" %x {weight = #nopt.array<[[[1, 9, 5, -7]]] : tensor<1x1x4xi8>>, bias = #nopt.array<[2] : tensor<1xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64} : tensor<1x6xi1> -> tensor<1x3xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1x3xi16>) -> tensor<1x3xi1>
  ntensor.output %z : tensor<1x3xi1>
}

// -----

// A pool has an axon for each of its inputs: the chain becomes one op, exactly, with the weight of the pool's output for each of them.
// CHECK-LABEL: ntensor.network @pool
// CHECK-NOT:     approximations
// CHECK-NEXT:    ntensor.sparse_linear "fc" %x {weight = #nopt.array<[3, 3, 5, 5] : tensor<4xi8>>, source = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>, target = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>, axon_types = {{.*}}} : tensor<1x1x4xi1> -> tensor<1xi16>
// CHECK-NEXT:    ntensor.neuron "lif"
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @pool("in" %x: tensor<1x1x4xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %p = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x4xi1> -> tensor<1x1x2xi8>
  %r = ntensor.reshape "flat" %p : tensor<1x1x2xi8> -> tensor<2xi8>
  %y = ntensor.linear "fc" %r {weight = #nopt.array<[[3, 5]] : tensor<1x2xi8>>} : tensor<2xi8> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Two ops of one population share the values of its neurons; a source with two delays has an axon for each. An op with two readers is copied.
// CHECK-LABEL: ntensor.network @shared
// CHECK:         ntensor.linear "fc" %x {weight = {{.*}}, axon_types = #ntensor.axon_types<values = [[VALUES:#nopt.array<.*>]], slices
// CHECK:         ntensor.linear "fc.copy1" %x
// CHECK:         ntensor.sparse_linear "side" %x {{.*}}, delay = #nopt.array<[1, 2] : tensor<2xi64>>, axon_types = #ntensor.axon_types<values = {{.*}}, slices = #nopt.array<[0] : tensor<1xi32>>, axons = #nopt.array<{{\[\[}}0, 0, {{[01]}}, 1], [0, 0, {{[01]}}, 2]] : tensor<2x4xi32>>>
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @shared("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[3, 5]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi16>
  %b = ntensor.sparse_linear "side" %x {weight = #nopt.array<[3, 5] : tensor<2xi8>>, source = #nopt.array<[0, 0] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, delay = #nopt.array<[1, 2] : tensor<2xi64>>} : tensor<2xi1> -> tensor<1xi16>
  %c = ntensor.sum %a, %b : (tensor<1xi16>, tensor<1xi16>) -> tensor<1xi16>
  %w = ntensor.neuron "other" @lif(%a) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  %z = ntensor.neuron "lif" @lif(%c) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
