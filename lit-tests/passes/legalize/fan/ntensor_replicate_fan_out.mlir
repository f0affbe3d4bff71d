// RUN: nopt %s --split-input-file -p 'ntensor-replicate-fan-out{max-fan-out=2}' | filecheck %s

// Each neuron of "a" reaches both slices of "b" and of "c": four. Readers are not split: "c" reads a copy, which reads the inputs of "a".
// CHECK-LABEL: ntensor.network @whole(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a.copy1" @over([[A]])
// CHECK-NEXT:    [[D:%\S+]] = ntensor.linear "fc2" [[B]]
// CHECK-NEXT:    [[E:%\S+]] = ntensor.neuron "b" @over([[D]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    [[F:%\S+]] = ntensor.linear "fc3" [[C]]
// CHECK-NEXT:    [[G:%\S+]] = ntensor.neuron "c" @over([[F]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    [[H:%\S+]] = ntensor.sum [[E]], [[G]]
// CHECK-NEXT:    ntensor.output [[H]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @whole("in" %x: tensor<2xi1>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  %j = ntensor.linear "fc3" %a {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %c = ntensor.neuron "c" @over(%j) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  %n = ntensor.sum %b, %c : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xf64>
  ntensor.output %n : tensor<2xf64>
}

// -----

// A copy in a loop receives its own spikes: two of three slices each.
// CHECK-LABEL: ntensor.network @loop(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "rec" %{{\S+}}
// CHECK-NEXT:    [[C:%\S+]] = ntensor.linear "rec.copy1" %{{\S+}}
// CHECK-NEXT:    [[D:%\S+]] = ntensor.sum [[A]], [[B]]
// CHECK-NEXT:    [[E:%\S+]] = ntensor.sum [[A]], [[C]]
// CHECK-NEXT:    [[F:%\S+]] = ntensor.neuron "a" @over([[D]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    [[G:%\S+]] = ntensor.neuron "a.copy1" @over([[E]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    [[H:%\S+]] = ntensor.delay "back" [[F]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[I:%\S+]] = ntensor.delay "back.copy1" [[G]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[J:%\S+]] = ntensor.sparse_linear "fc2.part0" [[F]]{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 1] : tensor<2xi32>>{{.*}}target = #nopt.array<[0, 0] : tensor<2xi32>>
// CHECK-NEXT:    [[K:%\S+]] = ntensor.sparse_linear "fc2.part1" [[G]]{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 1] : tensor<2xi32>>{{.*}}target = #nopt.array<[1, 1] : tensor<2xi32>>
// CHECK-NEXT:    [[L:%\S+]] = ntensor.sum [[J]], [[K]]
// CHECK-NEXT:    [[M:%\S+]] = ntensor.neuron "b" @over([[L]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    ntensor.output [[M]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @loop("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %r = ntensor.linear "rec" %w {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %k = ntensor.sum %h, %r : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  %w = ntensor.delay "back" %a {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}

// -----

// Two slices are within the limit. Outputs and inputs are not counted.
// CHECK-LABEL: ntensor.network @few(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}, {{\[\[}}2, 3{{\]\]}}, {{\[\[}}3, 4{{\]\]}}] : tensor<4x1x2xi64>>
// CHECK-NEXT:    [[C:%\S+]] = ntensor.linear "fc2" [[B]]
// CHECK-NEXT:    [[D:%\S+]] = ntensor.neuron "b" @over([[C]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}] : tensor<2x1x2xi64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.sum [[B]], [[B]]
// CHECK-NEXT:    ntensor.output [[E]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @few("in" %x: tensor<2xi1>) -> ("out": tensor<4xf64>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]] : tensor<4x2xf64>>} : tensor<2xi1> -> tensor<4xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]], [[2, 3]], [[3, 4]]] : tensor<4x1x2xi64>>} : (tensor<4xf64>) -> tensor<4xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]] : tensor<2x4xf64>>} : tensor<4xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]]] : tensor<2x1x2xi64>>} : (tensor<2xf64>) -> tensor<2xi1>
  %n = ntensor.sum %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xf64>
  ntensor.output %n : tensor<4xf64>
}
