// RUN: nopt %s --split-input-file -p ntensor-relay-delays | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-relay-delays{reorder}' | filecheck %s --check-prefix=REORDER

// 40 = 15 + 15 + 10 ticks, and 3; the last delay keeps the name. Exact: nothing is recorded.
// CHECK-LABEL: ntensor.network @chain
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "wait.delay1" %{{\S+}} {ticks = #nopt.array<[3, 15] : tensor<2xi64>>}
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "wait.relay1" @relay_spike([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.delay "wait.delay2" [[B]] {ticks = #nopt.array<[0, 15] : tensor<2xi64>>}
// CHECK-NEXT:    [[D:%\S+]] = ntensor.neuron "wait.relay2" @relay_spike([[C]])
// CHECK-NEXT:    ntensor.delay "wait" [[D]] {ticks = #nopt.array<[0, 10] : tensor<2xi64>>}
ntensor.network @chain("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.delay "wait" %x {ticks = #nopt.array<[3, 40] : tensor<2xi64>>} : tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}

// -----

// Counts keep their width. A delayed synapse reads a relayed copy of its source; the sum has the name of the op, and the last part the bias.
// CHECK:       ntensor.update @relay_count_5 <count>
// CHECK-LABEL: ntensor.network @late
// CHECK-NEXT:    [[A:%\S+]] = ntensor.sparse_linear "fc.part0" %{{\S+}} {weight = #nopt.array<[1] : tensor<1xi8>>, source = #nopt.array<[0] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, delay = #nopt.array<[15] : tensor<1xi64>>} : tensor<2x!ntensor.count<5>> -> tensor<1xi16>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.delay "in.delay1" %{{\S+}} {ticks = #nopt.array<15 : tensor<i64>>}
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "in.relay1" @relay_count_5([[B]])
// CHECK-NEXT:    [[D:%\S+]] = ntensor.sparse_linear "fc.part1" [[C]] {weight = #nopt.array<[2] : tensor<1xi8>>, {{.*}} bias = #nopt.array<[7] : tensor<1xi8>>, delay = #nopt.array<[1] : tensor<1xi64>>}
// CHECK-NEXT:    [[E:%\S+]] = ntensor.sum [[A]], [[D]] : (tensor<1xi16>, tensor<1xi16>) -> tensor<1xi16>
// CHECK-NEXT:    ntensor.reshape "fc" [[E]]
ntensor.network @late("in" %x: tensor<2x!ntensor.count<5>>) -> ("out": tensor<1xi16>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1, 2] : tensor<2xi8>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, delay = #nopt.array<[15, 16] : tensor<2xi64>>, bias = #nopt.array<[7] : tensor<1xi8>>} : tensor<2x!ntensor.count<5>> -> tensor<1xi16>
  ntensor.output %y : tensor<1xi16>
}

// -----

// All synapses of a neuron have the same delay: reals keep their order, so this is exact too.
// CHECK-LABEL: ntensor.network @together
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK:         ntensor.neuron "in.relay1"
// CHECK:         ntensor.sparse_linear "fc" {{.*}} delay = #nopt.array<[1, 5] : tensor<2xi64>>
ntensor.network @together("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1.0, 2.0] : tensor<2xf64>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, delay = #nopt.array<[16, 20] : tensor<2xi64>>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// Short delays are unchanged, with and without `reorder`.
// CHECK-LABEL:   ntensor.network @short
// CHECK-NEXT:      ntensor.sparse_linear "fc"
// CHECK-NEXT:      ntensor.output
// REORDER-LABEL: ntensor.network @short
// REORDER-SAME:    attributes {tick_ns = 1000 : i64} {
ntensor.network @short("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1.0, 2.0] : tensor<2xf64>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, delay = #nopt.array<[1, 15] : tensor<2xi64>>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// The delays of a path add up: 10 ticks of events and 10 of values would be 20, so a relay separates them. A delay of values alone stays.
// CHECK-LABEL: ntensor.network @path
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "wait.delay1" %{{\S+}} {ticks = #nopt.array<10 : tensor<i64>>}
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "wait.relay1" @relay_spike([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.delay "wait" [[B]] {ticks = #nopt.array<0 : tensor<i64>>}
// CHECK-NEXT:    [[D:%\S+]] = ntensor.linear "fc" [[C]]
// CHECK-NEXT:    ntensor.delay "fc.delay" [[D]] {ticks = #nopt.array<10 : tensor<i64>>, part_of = "fc"}
ntensor.network @path("in" %x: tensor<1xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.delay "wait" %x {ticks = #nopt.array<10 : tensor<i64>>} : tensor<1xi1>
  %b = ntensor.linear "fc" %a {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %c = ntensor.delay "fc.delay" %b {ticks = #nopt.array<10 : tensor<i64>>, part_of = "fc"} : tensor<1xf64>
  ntensor.output %c : tensor<1xf64>
}

// -----

// A delay that is part of a node keeps its output; the relay is after it. The output of the network reads the node.
// CHECK-LABEL: ntensor.network @part
// CHECK-NEXT:    [[A:%\S+]] = ntensor.reshape "node"
// CHECK-NEXT:    [[B:%\S+]] = ntensor.delay "node.delay" [[A]] {ticks = #nopt.array<10 : tensor<i64>>, part_of = "node"}
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "node.relay1" @relay_spike([[B]])
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "late" [[C]] {ticks = #nopt.array<10 : tensor<i64>>}
// CHECK-NEXT:    ntensor.output [[B]], [[D]]
ntensor.network @part("in" %x: tensor<1xi1>) -> ("early": tensor<1xi1>, "out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.reshape "node" %x : tensor<1xi1> -> tensor<1xi1>
  %b = ntensor.delay "node.delay" %a {ticks = #nopt.array<10 : tensor<i64>>, part_of = "node"} : tensor<1xi1>
  %c = ntensor.delay "late" %b {ticks = #nopt.array<10 : tensor<i64>>} : tensor<1xi1>
  ntensor.output %b, %c : tensor<1xi1>, tensor<1xi1>
}

// -----

// A loop with delays of 1 and 40 ticks: the first neuron keeps its path, and relays forward the second one alone.
// CHECK-LABEL: ntensor.network @loop
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[P:%\S+]] = ntensor.delay "h.late1" %h {ticks = #nopt.array<1 : tensor<i64>>}
// CHECK-NEXT:    [[A:%\S+]] = ntensor.sparse_linear "w.part0" [[P]] {weight = #nopt.array<[2] : tensor<1xi8>>, source = #nopt.array<[0] : tensor<1xi32>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.delay "h.delay1" %h {ticks = #nopt.array<15 : tensor<i64>>}
// CHECK-NEXT:    [[C:%\S+]] = ntensor.sparse_linear "h.relay1.in" [[B]] {weight = #nopt.array<[1] : tensor<1xi8>>, source = #nopt.array<[1] : tensor<1xi32>>
// CHECK-NEXT:    [[D:%\S+]] = ntensor.neuron "h.relay1" @relay_some([[C]]) {{.*}} -> tensor<1xi1>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.delay "h.delay2" [[D]] {ticks = #nopt.array<15 : tensor<i64>>}
// CHECK-NEXT:    [[F:%\S+]] = ntensor.neuron "h.relay2" @relay_spike([[E]])
// CHECK-NEXT:    [[G:%\S+]] = ntensor.delay "h.relay2.late10" [[F]] {ticks = #nopt.array<10 : tensor<i64>>}
// CHECK-NEXT:    [[H:%\S+]] = ntensor.sparse_linear "w.part1" [[G]] {weight = #nopt.array<[3] : tensor<1xi8>>, source = #nopt.array<[0] : tensor<1xi32>>
// CHECK-NEXT:    [[I:%\S+]] = ntensor.sum [[A]], [[H]]
// CHECK-NEXT:    ntensor.reshape "w" [[I]]
ntensor.update @over <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-128, 127>):
  %0 = fixed.constant 1 : !fixed.int<1, 1>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-128, 127>, !fixed.int<1, 1>
  ntensor.emit %1 : i1
}
ntensor.network @loop("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %d = ntensor.delay "d" %h {ticks = #nopt.array<[1, 40] : tensor<2xi64>>} : tensor<2xi1>
  %w = ntensor.linear "w" %d {weight = #nopt.array<[[2, 3], [0, 0]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %f = ntensor.linear "fc" %x {weight = #nopt.array<[[2, 2], [2, 2]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %s = ntensor.sum %f, %w : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %h = ntensor.neuron "h" @over(%s) {params = {}, initial = {}} : (tensor<2xi8>) -> tensor<2xi1>
  ntensor.output %h : tensor<2xi1>
}

// -----

// A sum that waits: the delay moves to the synapses of both operands, before them, and the bias comes from a neuron that always fires.
// CHECK-LABEL: ntensor.network @sums
// CHECK-DAG:     ntensor.linear "a" %{{\S+}} {weight = #nopt.array<{{\[\[}}2, 3], [1, 1]] : tensor<2x2xi8>>}
// CHECK-DAG:     ntensor.sparse_linear "b.part1" %{{\S+}} {weight
// CHECK-DAG:     ntensor.neuron "clock" @clock_integer
// CHECK-DAG:     ntensor.neuron "x.relay1" @relay_spike
ntensor.network @sums("x" %x: tensor<2xi1>, "y" %y: tensor<2xi1>) -> ("out": tensor<2xi8>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[2, 3], [1, 1]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %b = ntensor.linear "b" %y {weight = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi8>>, bias = #nopt.array<[4, 0] : tensor<2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %w = ntensor.delay "wait" %b {ticks = #nopt.array<[3, 20] : tensor<2xi64>>} : tensor<2xi8>
  %s = ntensor.sum %a, %w : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %d = ntensor.delay "d" %s {ticks = #nopt.array<16 : tensor<i64>>} : tensor<2xi8>
  ntensor.output %d : tensor<2xi8>
}

// -----

// After a calibration, a relay has the rate of its source: the input, or a population through its reshapes.
// CHECK-LABEL: ntensor.network @observed
// CHECK:         ntensor.neuron "wait.relay1" @relay_spike({{.*}}ntensor.observed = {rate = 2.500000e-01 : f64}
// CHECK:         ntensor.neuron "later.relay1" @relay_spike({{.*}}ntensor.observed = {rate = 6.250000e-02 : f64}
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: i1):
  ntensor.emit %x : i1
}
ntensor.network @observed("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000, ntensor.observed = {samples = 4 : i64, inputs = {in = {density = 0.25 : f64}}}} {
  %y = ntensor.delay "wait" %x {ticks = #nopt.array<[3, 20] : tensor<2xi64>>} : tensor<2xi1>
  %a = ntensor.neuron "a" @over(%y) {params = {}, initial = {}, ntensor.observed = {rate = 0.0625 : f64}} : (tensor<2xi1>) -> tensor<2xi1>
  %z = ntensor.delay "later" %a {ticks = #nopt.array<[3, 20] : tensor<2xi64>>} : tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
