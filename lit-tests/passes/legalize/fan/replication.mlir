// RUN: nopt %s --split-input-file -p 'ntensor-replicate-fan-out{max-fan-out=2}' | filecheck %s

// "b" and "c" are connected in both directions, so they are copied together; the copies are connected with each other.
// CHECK-LABEL: ntensor.network @pair(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "back" %{{\S+}}
// CHECK-NEXT:    [[C:%\S+]] = ntensor.linear "back.copy1" %{{\S+}}
// CHECK-NEXT:    [[D:%\S+]] = ntensor.sum [[A]], [[B]]
// CHECK-NEXT:    [[E:%\S+]] = ntensor.sum [[A]], [[C]]
// CHECK-NEXT:    [[F:%\S+]] = ntensor.neuron "b" @over([[D]])
// CHECK-NEXT:    [[G:%\S+]] = ntensor.neuron "b.copy1" @over([[E]])
// CHECK-NEXT:    [[H:%\S+]] = ntensor.linear "on" [[F]]
// CHECK-NEXT:    [[I:%\S+]] = ntensor.linear "on.copy1" [[G]]
// CHECK-NEXT:    [[J:%\S+]] = ntensor.neuron "c" @over([[H]])
// CHECK-NEXT:    [[K:%\S+]] = ntensor.neuron "c.copy1" @over([[I]])
// CHECK-NEXT:    [[L:%\S+]] = ntensor.delay "late" [[J]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[M:%\S+]] = ntensor.delay "late.copy1" [[K]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[N:%\S+]] = ntensor.sparse_linear "out1.part0" [[F]]{{.*}}weight = #nopt.array<[1.0] : tensor<1xf64>>{{.*}}source = #nopt.array<[0] : tensor<1xi32>>{{.*}}target = #nopt.array<[0] : tensor<1xi32>>
// CHECK-NEXT:    [[O:%\S+]] = ntensor.sparse_linear "out1.part1" [[G]]{{.*}}weight = #nopt.array<[1.0] : tensor<1xf64>>{{.*}}source = #nopt.array<[0] : tensor<1xi32>>{{.*}}target = #nopt.array<[1] : tensor<1xi32>>
// CHECK-NEXT:    [[P:%\S+]] = ntensor.sum [[N]], [[O]]
// CHECK-NEXT:    [[Q:%\S+]] = ntensor.neuron "d" @over([[P]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    ntensor.output [[Q]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @pair("in" %x: tensor<1xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %r = ntensor.linear "back" %w {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %k = ntensor.sum %h, %r : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %b = ntensor.neuron "b" @over(%k) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %i = ntensor.linear "on" %b {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %c = ntensor.neuron "c" @over(%i) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %w = ntensor.delay "late" %c {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xi1>
  %j = ntensor.linear "out1" %b {weight = #nopt.array<[[1.0], [1.0]] : tensor<2x1xf64>>} : tensor<1xi1> -> tensor<2xf64>
  %d = ntensor.neuron "d" @over(%j) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %d : tensor<2xi1>
}

// -----

// The source of a copy has one more reader: "a" reaches two copies of "b" and "c", which is too many, so there are two of "a".
// CHECK-LABEL: ntensor.network @upstream(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a.copy1" @over([[A]])
// CHECK-NEXT:    [[D:%\S+]] = ntensor.linear "fc2" [[B]]
// CHECK-NEXT:    [[E:%\S+]] = ntensor.neuron "b" @over([[D]])
// CHECK-NEXT:    [[F:%\S+]] = ntensor.neuron "b.copy1" @over([[D]])
// CHECK-NEXT:    [[G:%\S+]] = ntensor.linear "fc3" [[C]]
// CHECK-NEXT:    [[H:%\S+]] = ntensor.neuron "c" @over([[G]])
// CHECK-NEXT:    [[I:%\S+]] = ntensor.sparse_linear "fc4.part0" [[E]]{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 0] : tensor<2xi32>>{{.*}}target = #nopt.array<[0, 1] : tensor<2xi32>>
// CHECK-NEXT:    [[J:%\S+]] = ntensor.sparse_linear "fc4.part1" [[F]]{{.*}}weight = #nopt.array<[1.0] : tensor<1xf64>>{{.*}}source = #nopt.array<[0] : tensor<1xi32>>{{.*}}target = #nopt.array<[2] : tensor<1xi32>>
// CHECK-NEXT:    [[K:%\S+]] = ntensor.sum [[I]], [[J]]
// CHECK-NEXT:    [[L:%\S+]] = ntensor.neuron "d" @over([[K]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}, {{\[\[}}2, 3{{\]\]}}] : tensor<3x1x2xi64>>
// CHECK-NEXT:    ntensor.output [[L]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @upstream("in" %x: tensor<2xi1>) -> ("out": tensor<3xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 1.0]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %j = ntensor.linear "fc3" %a {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %c = ntensor.neuron "c" @over(%j) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %k = ntensor.linear "fc4" %b {weight = #nopt.array<[[1.0], [1.0], [1.0]] : tensor<3x1xf64>>} : tensor<1xi1> -> tensor<3xf64>
  %d = ntensor.neuron "d" @over(%k) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]], [[2, 3]]] : tensor<3x1x2xi64>>} : (tensor<3xf64>) -> tensor<3xi1>
  ntensor.output %d : tensor<3xi1>
}
