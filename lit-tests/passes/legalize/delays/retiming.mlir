// RUN: nopt %s --split-input-file -p 'ntensor-retime' | filecheck %s

// The second path has three ticks more than it needs: one of them is moved to the first, so the latency of the output is that of "a".
// CHECK-LABEL: ntensor.network @shorter(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc1" [[A]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a" @over([[B]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "wait" [[C]]{{.*}}ticks = #nopt.array<[4, 2] : tensor<2xi64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.linear "fc2" [[D]]
// CHECK-NEXT:    [[F:%\S+]] = ntensor.neuron "b" @over([[E]])
// CHECK-NEXT:    ntensor.output [[F]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @shorter("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %d = ntensor.delay "wait" %a {ticks = #nopt.array<[5, 3] : tensor<2xi64>>} : tensor<2xi1>
  %i = ntensor.linear "fc2" %d {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}

// -----

// Delays of single synapses are moved, too. The undelayed reader of "a" gets the same delay as the others; the delay is shared.
// CHECK-LABEL: ntensor.network @synapses(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 2 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc1" [[A]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a" @over([[B]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[D:%\S+]] = ntensor.sparse_linear "fc2" [[C]]{{.*}}machine.latency = 1 : i64{{.*}}delay = #nopt.array<[1, 4] : tensor<2xi64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.neuron "b" @over([[D]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.delay "b.wait1" [[E]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[G:%\S+]] = ntensor.linear "fc3" [[F]]{{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[H:%\S+]] = ntensor.neuron "c" @over([[G]]){{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[I:%\S+]] = ntensor.delay "a.wait1" [[C]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[J:%\S+]] = ntensor.linear "fc4" [[I]]{{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[K:%\S+]] = ntensor.linear "fc5" [[I]]{{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[L:%\S+]] = ntensor.sum [[J]], [[K]]
// CHECK-NEXT:    [[M:%\S+]] = ntensor.neuron "d" @over([[L]]){{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[N:%\S+]] = ntensor.sum [[H]], [[M]]
// CHECK-NEXT:    ntensor.output [[N]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @synapses("in" %x: tensor<2xi1>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.sparse_linear "fc2" %a {weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 1] : tensor<2xi64>>, delay = #nopt.array<[1, 4] : tensor<2xi64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %j = ntensor.linear "fc3" %b {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %c = ntensor.neuron "c" @over(%j) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %k = ntensor.linear "fc4" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %l = ntensor.linear "fc5" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %m = ntensor.sum %k, %l : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %d = ntensor.neuron "d" @over(%m) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %n = ntensor.sum %c, %d : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xf64>
  ntensor.output %n : tensor<2xf64>
}

// -----

// A delay after a bias keeps its ticks: its first outputs are zeros.
// CHECK-LABEL: ntensor.network @values(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc" %x{{.*}}bias = #nopt.array<[1.0, 0.0] : tensor<2xf64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.delay "wait" [[A]]{{.*}}ticks = #nopt.array<2 : tensor<i64>>
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a" @over([[B]])
// CHECK-NEXT:    ntensor.output [[C]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @values("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>, bias = #nopt.array<[1.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %d = ntensor.delay "wait" %h {ticks = #nopt.array<2 : tensor<i64>>} : tensor<2xf64>
  %a = ntensor.neuron "a" @over(%d) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}

// -----

// The latency of a sum of two populations is the larger one.
// CHECK-LABEL: ntensor.network @outputs(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 2 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc1" [[A]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a" @over([[B]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "a.wait1" [[C]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.linear "fc2" [[D]]{{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.neuron "b" @over([[E]]){{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[G:%\S+]] = ntensor.sum [[D]], [[F]]
// CHECK-NEXT:    ntensor.output [[G]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @outputs("in" %x: tensor<2xi1>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %n = ntensor.sum %a, %b : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xf64>
  ntensor.output %n : tensor<2xf64>
}
