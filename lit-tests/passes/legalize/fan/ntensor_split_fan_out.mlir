// RUN: nopt %s --split-input-file -p 'ntensor-split-fan-out{max-fan-out=2}' | filecheck %s

// Four slices from one neuron: two splitters of two. The input of "b" that skips them gets the same delay.
// CHECK-LABEL: ntensor.network @split(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 1 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}] : tensor<1x1x2xi64>>
// CHECK-NEXT:    [[C:%\S+]] = ntensor.delay "a.wait1" [[B]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[D:%\S+]] = ntensor.neuron "a.split0" @relay_spike([[C]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}] : tensor<1x1x2xi64>>{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[E:%\S+]] = ntensor.neuron "a.split1" @relay_spike([[C]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}] : tensor<1x1x2xi64>>{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.sparse_linear "fc2.part0" [[D]]{{.*}}machine.latency = 1 : i64{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 0] : tensor<2xi32>>{{.*}}target = #nopt.array<[0, 1] : tensor<2xi32>>
// CHECK-NEXT:    [[G:%\S+]] = ntensor.sparse_linear "fc2.part1" [[E]]{{.*}}machine.latency = 1 : i64{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 0] : tensor<2xi32>>{{.*}}target = #nopt.array<[2, 3] : tensor<2xi32>>
// CHECK-NEXT:    [[H:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[I:%\S+]] = ntensor.linear "skip" [[H]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[J:%\S+]] = ntensor.sum [[F]], [[G]], [[I]]
// CHECK-NEXT:    [[K:%\S+]] = ntensor.neuron "b" @over([[J]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}, {{\[\[}}2, 3{{\]\]}}, {{\[\[}}3, 4{{\]\]}}] : tensor<4x1x2xi64>>{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    ntensor.output [[K]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @split("in" %x: tensor<2xi1>) -> ("out": tensor<4xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 1.0]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]]] : tensor<1x1x2xi64>>} : (tensor<1xf64>) -> tensor<1xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0], [1.0], [1.0], [1.0]] : tensor<4x1xf64>>} : tensor<1xi1> -> tensor<4xf64>
  %j = ntensor.linear "skip" %x {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]] : tensor<4x2xf64>>} : tensor<2xi1> -> tensor<4xf64>
  %k = ntensor.sum %i, %j : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %b = ntensor.neuron "b" @over(%k) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]], [[2, 3]], [[3, 4]]] : tensor<4x1x2xi64>>} : (tensor<4xf64>) -> tensor<4xi1>
  ntensor.output %b : tensor<4xi1>
}

// -----

// Six slices: three splitters are too many for "a", so there are two levels, and the latency of the output is two ticks.
// CHECK-LABEL: ntensor.network @levels(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 2 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "a" @over([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.delay "a.split1.0.wait1" %{{\S+}}{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[D:%\S+]] = ntensor.neuron "a.split0" @relay_spike([[C]]){{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[E:%\S+]] = ntensor.neuron "a.split1" @relay_spike([[C]]){{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.delay "a.wait1" [[B]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[G:%\S+]] = ntensor.neuron "a.split1.0" @relay_spike([[F]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[H:%\S+]] = ntensor.neuron "a.split1.1" @relay_spike([[F]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[I:%\S+]] = ntensor.delay "a.split1.1.wait1" [[H]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[J:%\S+]] = ntensor.neuron "a.split2" @relay_spike([[I]]){{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[K:%\S+]] = ntensor.sparse_linear "fc2.part0" [[D]]{{.*}}machine.latency = 2 : i64{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 0] : tensor<2xi32>>{{.*}}target = #nopt.array<[0, 1] : tensor<2xi32>>
// CHECK-NEXT:    [[L:%\S+]] = ntensor.sparse_linear "fc2.part1" [[E]]{{.*}}machine.latency = 2 : i64{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 0] : tensor<2xi32>>{{.*}}target = #nopt.array<[2, 3] : tensor<2xi32>>
// CHECK-NEXT:    [[M:%\S+]] = ntensor.sparse_linear "fc2.part2" [[J]]{{.*}}machine.latency = 2 : i64{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 0] : tensor<2xi32>>{{.*}}target = #nopt.array<[4, 5] : tensor<2xi32>>
// CHECK-NEXT:    [[N:%\S+]] = ntensor.sum [[K]], [[L]], [[M]]
// CHECK-NEXT:    [[O:%\S+]] = ntensor.neuron "b" @over([[N]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}, {{\[\[}}2, 3{{\]\]}}, {{\[\[}}3, 4{{\]\]}}, {{\[\[}}4, 5{{\]\]}}, {{\[\[}}5, 6{{\]\]}}] : tensor<6x1x2xi64>>{{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    ntensor.output [[O]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @levels("in" %x: tensor<2xi1>) -> ("out": tensor<6xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 1.0]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0], [1.0], [1.0], [1.0], [1.0], [1.0]] : tensor<6x1xf64>>} : tensor<1xi1> -> tensor<6xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]], [[2, 3]], [[3, 4]], [[4, 5]], [[5, 6]]] : tensor<6x1x2xi64>>} : (tensor<6xf64>) -> tensor<6xi1>
  ntensor.output %b : tensor<6xi1>
}

// -----

// A loop with a slack of a tick: the delay becomes shorter, and the latency is unchanged.
// CHECK-LABEL: ntensor.network @spare(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc1" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.sparse_linear "rec.part0" %{{\S+}}{{.*}}weight = #nopt.array<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0] : tensor<6xf64>>{{.*}}source = #nopt.array<[0, 0, 1, 1, 2, 2] : tensor<6xi32>>{{.*}}target = #nopt.array<[0, 1, 0, 1, 0, 1] : tensor<6xi32>>
// CHECK-NEXT:    [[C:%\S+]] = ntensor.sparse_linear "rec.part1" %{{\S+}}{{.*}}weight = #nopt.array<[1.0, 1.0, 1.0] : tensor<3xf64>>{{.*}}source = #nopt.array<[0, 1, 2] : tensor<3xi32>>{{.*}}target = #nopt.array<[2, 2, 2] : tensor<3xi32>>
// CHECK-NEXT:    [[D:%\S+]] = ntensor.sum [[A]], [[B]], [[C]]
// CHECK-NEXT:    [[E:%\S+]] = ntensor.neuron "a" @over([[D]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}, {{\[\[}}2, 3{{\]\]}}] : tensor<3x1x2xi64>>
// CHECK-NEXT:    [[F:%\S+]] = ntensor.delay "back" %{{\S+}}{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[G:%\S+]] = ntensor.delay "back.copy0" %{{\S+}}{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[H:%\S+]] = ntensor.delay "a.wait1" [[E]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[I:%\S+]] = ntensor.neuron "a.split0" @relay_spike([[H]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}, {{\[\[}}2, 3{{\]\]}}] : tensor<3x1x2xi64>>{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[J:%\S+]] = ntensor.neuron "a.split1" @relay_spike([[H]]){{.*}}machine.boxes = #nopt.array<{{\[\[}}[0, 1{{\]\]}}, {{\[\[}}1, 2{{\]\]}}, {{\[\[}}2, 3{{\]\]}}] : tensor<3x1x2xi64>>{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    ntensor.output [[E]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @spare("in" %x: tensor<3xi1>) -> ("out": tensor<3xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] : tensor<3x3xf64>>} : tensor<3xi1> -> tensor<3xf64>
  %r = ntensor.linear "rec" %w {weight = #nopt.array<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]] : tensor<3x3xf64>>} : tensor<3xi1> -> tensor<3xf64>
  %k = ntensor.sum %h, %r : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}, machine.boxes = #nopt.array<[[[0, 1]], [[1, 2]], [[2, 3]]] : tensor<3x1x2xi64>>} : (tensor<3xf64>) -> tensor<3xi1>
  %w = ntensor.delay "back" %a {ticks = #nopt.array<2 : tensor<i64>>} : tensor<3xi1>
  ntensor.output %a : tensor<3xi1>
}
