// RUN: nopt %s --split-input-file -p 'ntensor-replicate-fan-out{max-fan-out=1}' | filecheck %s

// The middle neurons reach both tiles of a convolution. It becomes single synapses, one op for each tile.
// CHECK-LABEL: ntensor.network @tiles(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.scale "in.scale" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a.copy1" @over([[A]])
// CHECK-NEXT:    [[D:%\S+]] = ntensor.sparse_linear "conv.part0" [[B]]{{.*}}weight = #nopt.array<[1.0, 1.0, 1.0, 1.0] : tensor<4xf64>>{{.*}}source = #nopt.array<[0, 1, 1, 2] : tensor<4xi32>>{{.*}}target = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.sparse_linear "conv.part1" [[C]]{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[2, 3] : tensor<2xi32>>{{.*}}target = #nopt.array<[2, 2] : tensor<2xi32>>
// CHECK-NEXT:    [[F:%\S+]] = ntensor.sum [[D]], [[E]]
// CHECK-NEXT:    [[G:%\S+]] = ntensor.neuron "b" @over([[F]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1], [0, 1], [0, 2{{\]\]}}, {{\[\[}}0, 1], [0, 1], [2, 3{{\]\]}}] : tensor<2x3x2xi64>>
// CHECK-NEXT:    ntensor.output [[G]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @tiles("in" %x: tensor<1x1x4xi1>) -> ("out": tensor<1x1x3xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.scale "in.scale" %x {scale = #nopt.array<1.0 : tensor<f64>>} : tensor<1x1x4xi1> -> tensor<1x1x4xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<1x1x4xf64>) -> tensor<1x1x4xi1>
  %i = ntensor.conv2d "conv" %a {weight = #nopt.array<[[[[1.0, 1.0]]]] : tensor<1x1x1x2xf64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x1x4xi1> -> tensor<1x1x3xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1], [0, 1], [0, 2]], [[0, 1], [0, 1], [2, 3]]] : tensor<2x3x2xi64>>} : (tensor<1x1x3xf64>) -> tensor<1x1x3xi1>
  ntensor.output %b : tensor<1x1x3xi1>
}

// -----

// Scales of rows, a bias and exponents stay with their rows; the sum around the op is kept.
// CHECK-LABEL: ntensor.network @rows(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a.copy1" @over([[A]])
// CHECK-NEXT:    [[D:%\S+]] = ntensor.sparse_linear "fc2.part0" [[B]]{{.*}}weight = #nopt.array<[3] : tensor<1xi8>>{{.*}}source = #nopt.array<[0] : tensor<1xi32>>{{.*}}target = #nopt.array<[0] : tensor<1xi32>>{{.*}}exponent = #nopt.array<[1, -1] : tensor<2xi8>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.sparse_linear "fc2.part1" [[C]]{{.*}}weight = #nopt.array<[-2] : tensor<1xi8>>{{.*}}source = #nopt.array<[0] : tensor<1xi32>>{{.*}}target = #nopt.array<[1] : tensor<1xi32>>{{.*}}bias = #nopt.array<[0, 5] : tensor<2xi8>>{{.*}}exponent = #nopt.array<[1, -1] : tensor<2xi8>>
// CHECK-NEXT:    [[F:%\S+]] = ntensor.linear "skip" %x
// CHECK-NEXT:    [[G:%\S+]] = ntensor.sum [[F]], [[D]], [[E]]
// CHECK-NEXT:    [[H:%\S+]] = ntensor.neuron "b" @over([[G]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    ntensor.output [[H]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.cmp gt %x, %0 : !fixed.int<-32768, 32767>, !fixed.int<0, 0>
  ntensor.emit %1 : i1
}
ntensor.network @rows("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1, 1]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi16>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[3], [-2]] : tensor<2x1xi8>>, bias = #nopt.array<[0, 5] : tensor<2xi8>>, exponent = #nopt.array<[1, -1] : tensor<2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<[[0.5], [0.25]] : tensor<2x1xf64>>>} : tensor<1xi1> -> tensor<2xi16>
  %s = ntensor.linear "skip" %x {weight = #nopt.array<[[1, 0], [0, 1]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi16>
  %k = ntensor.sum %s, %i : (tensor<2xi16>, tensor<2xi16>) -> tensor<2xi16>
  %b = ntensor.neuron "b" @over(%k) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}

// -----

// A pool before the synapses is duplicated with the copy; a delay that is part of "a" is kept, and the copy has its own.
// CHECK-LABEL: ntensor.network @copied(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.scale "in.scale" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a.copy1" @over([[A]])
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "a.delay" [[B]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.delay "a.delay.copy1" [[C]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[F:%\S+]] = ntensor.sum_pool2d "pool" [[D]]
// CHECK-NEXT:    [[G:%\S+]] = ntensor.sum_pool2d "pool.copy1" [[E]]
// CHECK-NEXT:    [[H:%\S+]] = ntensor.reshape "flat" [[F]]
// CHECK-NEXT:    [[I:%\S+]] = ntensor.reshape "flat.copy1" [[G]]
// CHECK-NEXT:    [[J:%\S+]] = ntensor.sparse_linear "fc2.part0" [[H]]{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 1] : tensor<2xi32>>{{.*}}target = #nopt.array<[0, 0] : tensor<2xi32>>
// CHECK-NEXT:    [[K:%\S+]] = ntensor.sparse_linear "fc2.part1" [[I]]{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 1] : tensor<2xi32>>{{.*}}target = #nopt.array<[1, 1] : tensor<2xi32>>
// CHECK-NEXT:    [[L:%\S+]] = ntensor.sum [[J]], [[K]]
// CHECK-NEXT:    [[M:%\S+]] = ntensor.neuron "b" @over([[L]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    ntensor.output [[M]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @copied("in" %x: tensor<1x1x4xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.scale "in.scale" %x {scale = #nopt.array<1.0 : tensor<f64>>} : tensor<1x1x4xi1> -> tensor<1x1x4xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<1x1x4xf64>) -> tensor<1x1x4xi1>
  %w = ntensor.delay "a.delay" %a {ticks = #nopt.array<1 : tensor<i64>>, part_of = "a"} : tensor<1x1x4xi1>
  %p = ntensor.sum_pool2d "pool" %w {kernel = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x4xi1> -> tensor<1x1x2xf64>
  %q = ntensor.reshape "flat" %p : tensor<1x1x2xf64> -> tensor<2xf64>
  %i = ntensor.linear "fc2" %q {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xf64> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}
