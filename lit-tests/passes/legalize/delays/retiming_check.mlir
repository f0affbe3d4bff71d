// RUN: nopt %s --split-input-file -p 'ntensor-retime{allow-early}' | filecheck %s

// The population has no output before its first event: nothing is recorded.
// CHECK-LABEL: ntensor.network @waits(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 1 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc" [[A]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a" @over([[B]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    ntensor.output [[C]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @waits("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}

// -----

// With `early` a bias is not delayed: it acts a tick before the first input, and this is recorded.
// CHECK-LABEL: ntensor.network @ahead(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, approximations = [#ntensor.approximation<"ntensor-retime{allow-early=true}", "populations are ahead of their input: a by 1 ticks", ["a"], none, none, "none">], machine.latency_ticks = {out = 2 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc" [[A]]{{.*}}machine.latency = 1 : i64{{.*}}bias = #nopt.array<[1.0, 0.0] : tensor<2xf64>>
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a" @over([[B]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "a.wait1" [[C]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.linear "on" [[D]]{{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.neuron "b" @over([[E]]){{.*}}machine.latency = 2 : i64
// CHECK-NEXT:    ntensor.output [[F]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @ahead("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>, bias = #nopt.array<[1.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.linear "on" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}

// -----

// A bias without an effect on the neuron is ignored.
// CHECK-LABEL: ntensor.network @weak(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 1 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc" [[A]]{{.*}}machine.latency = 1 : i64{{.*}}bias = #nopt.array<[0.25, 0.0] : tensor<2xf64>>
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a" @over([[B]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    ntensor.output [[C]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @weak("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>, bias = #nopt.array<[0.25, 0.0] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}
