// RUN: nopt %s --split-input-file -p 'ntensor-retime' | filecheck %s

// Each hop takes a tick, so the latency of "b" is two, and the path that skips "a" gets a delay of two.
// CHECK-LABEL: ntensor.network @skip(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 2 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc1" [[A]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a" @over([[B]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "a.wait1" [[C]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.linear "fc2" [[D]]{{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.delay "in.wait2" %x{{.*}}ticks = #nopt.array<2 : tensor<i64>>
// CHECK-NEXT:    [[G:%\S+]] = ntensor.linear "skip" [[F]]{{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[H:%\S+]] = ntensor.sum [[E]], [[G]]
// CHECK-NEXT:    [[I:%\S+]] = ntensor.neuron "b" @over([[H]]){{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    ntensor.output [[I]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @skip("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %j = ntensor.linear "skip" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %k = ntensor.sum %i, %j : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%k) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}

// -----

// The existing delays are sufficient: nothing changes.
// CHECK-LABEL: ntensor.network @late(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "wait" %x{{.*}}ticks = #nopt.array<3 : tensor<i64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc1" [[A]]
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a" @over([[B]])
// CHECK-NEXT:    ntensor.output [[C]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @late("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.delay "wait" %x {ticks = #nopt.array<3 : tensor<i64>>} : tensor<2xi1>
  %h = ntensor.linear "fc1" %y {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}

// -----

// A bias would act a tick before its input: it comes from a constantly firing neuron a tick later.
// CHECK-LABEL: ntensor.network @bias(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 1 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.sparse_linear "clock.start" %x
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "clock" @clock_integer([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.delay "clock.wait1" [[B]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.linear "fc" [[D]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.sum [[E]], %{{\S+}}
// CHECK-NEXT:    [[G:%\S+]] = ntensor.sparse_linear "fc.bias" [[C]]
// CHECK-NEXT:    [[H:%\S+]] = ntensor.neuron "a" @over([[F]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    ntensor.output [[H]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @bias("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>, bias = #nopt.array<[1.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}

// -----

// A loop keeps its total delay, which is the latency of its hop.
// CHECK-LABEL: ntensor.network @loop(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 1 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc" [[A]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[C:%\S+]] = ntensor.linear "rec" %{{\S+}}{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[D:%\S+]] = ntensor.sum [[B]], [[C]]
// CHECK-NEXT:    [[E:%\S+]] = ntensor.neuron "a" @over([[D]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.delay "back" [[E]]{{.*}}machine.latency = 1 : i64{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    ntensor.output [[E]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @loop("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %r = ntensor.linear "rec" %w {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %k = ntensor.sum %h, %r : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %w = ntensor.delay "back" %a {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}
