// RUN: nopt %s --split-input-file -p 'ntensor-replicate-fan-out{max-fan-out=1}' | filecheck %s

// A weight of zero is not a connection: each neuron of "a" reaches one of two slices.
// CHECK-LABEL: ntensor.network @zeros(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.linear "fc2" [[B]]
// CHECK-NEXT:    [[D:%\S+]] = ntensor.neuron "b" @over([[C]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    ntensor.output [[D]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @zeros("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}

// -----

// Tiles of two columns, after a pool of two columns: a neuron reaches one.
// CHECK-LABEL: ntensor.network @pool(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.scale "in.scale" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.sum_pool2d "pool" [[B]]
// CHECK-NEXT:    [[D:%\S+]] = ntensor.reshape "flat" [[C]]
// CHECK-NEXT:    [[E:%\S+]] = ntensor.neuron "b" @over([[D]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    ntensor.output [[E]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @pool("in" %x: tensor<1x1x4xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.scale "in.scale" %x {scale = #nopt.array<1.0 : tensor<f64>>} : tensor<1x1x4xi1> -> tensor<1x1x4xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<1x1x4xf64>) -> tensor<1x1x4xi1>
  %p = ntensor.sum_pool2d "pool" %a {kernel = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x4xi1> -> tensor<1x1x2xf64>
  %q = ntensor.reshape "flat" %p : tensor<1x1x2xf64> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%q) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}

// -----

// Slices are ranges of `machine.order`: neurons 0 and 3, then 1 and 2. The second synapse of neuron 0 ends in its own slice.
// CHECK-LABEL: ntensor.network @order(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.linear "fc2" [[B]]
// CHECK-NEXT:    [[D:%\S+]] = ntensor.neuron "b" @over([[C]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 2{{\]\]}}, {{\[\[}}2, 4{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    ntensor.output [[D]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @order("in" %x: tensor<2xi1>) -> ("out": tensor<4xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]] : tensor<4x2xf64>>} : tensor<2xi1> -> tensor<4xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 2]], [[2, 4]]] : tensor<2x1x2xi64>>, machine.order = #nopt.array<[0, 3, 1, 2] : tensor<4xi64>>} : (tensor<4xf64>) -> tensor<4xi1>
  ntensor.output %b : tensor<4xi1>
}

// -----

// Through a delay, a reshape and single synapses: two slices, so there are two copies of "a".
// CHECK-LABEL: ntensor.network @chain(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a.copy1" @over([[A]])
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "late" [[B]]{{.*}}ticks = #nopt.array<3 : tensor<i64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.delay "late.copy1" [[C]]{{.*}}ticks = #nopt.array<3 : tensor<i64>>
// CHECK-NEXT:    [[F:%\S+]] = ntensor.reshape "flat" [[D]]
// CHECK-NEXT:    [[G:%\S+]] = ntensor.reshape "flat.copy1" [[E]]
// CHECK-NEXT:    [[H:%\S+]] = ntensor.sparse_linear "fc2.part0" [[F]]{{.*}}weight = #nopt.array<[1.0] : tensor<1xf64>>{{.*}}source = #nopt.array<[0] : tensor<1xi32>>{{.*}}target = #nopt.array<[0] : tensor<1xi32>>
// CHECK-NEXT:    [[I:%\S+]] = ntensor.sparse_linear "fc2.part1" [[G]]{{.*}}weight = #nopt.array<[1.0] : tensor<1xf64>>{{.*}}source = #nopt.array<[0] : tensor<1xi32>>{{.*}}target = #nopt.array<[2] : tensor<1xi32>>
// CHECK-NEXT:    [[J:%\S+]] = ntensor.sum [[H]], [[I]]
// CHECK-NEXT:    [[K:%\S+]] = ntensor.neuron "b" @over([[J]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}, {{\[\[}}2, 3{{\]\]}}] : tensor<3x1x2xi64>>
// CHECK-NEXT:    ntensor.output [[K]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @chain("in" %x: tensor<2xi1>) -> ("out": tensor<3xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %d = ntensor.delay "late" %a {ticks = #nopt.array<3 : tensor<i64>>} : tensor<2xi1>
  %r = ntensor.reshape "flat" %d : tensor<2xi1> -> tensor<1x2xi1>
  %i = ntensor.sparse_linear "fc2" %r {weight = #nopt.array<[1.0, 0.0, 1.0] : tensor<3xf64>>, source = #nopt.array<[0, 0, 0] : tensor<3xi64>>, target = #nopt.array<[0, 1, 2] : tensor<3xi64>>} : tensor<1x2xi1> -> tensor<3xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]], [[2, 3]]] : tensor<3x1x2xi64>>} : (tensor<3xf64>) -> tensor<3xi1>
  ntensor.output %b : tensor<3xi1>
}
