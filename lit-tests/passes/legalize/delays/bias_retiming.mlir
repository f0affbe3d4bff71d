// RUN: nopt %s --split-input-file -p 'ntensor-retime' | filecheck %s

// 20 = 7 + 7 + 6: weights of 4 bits are 7 at most, so the bias comes from three neurons; each has its scale.
// CHECK-LABEL: ntensor.network @pieces(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 1 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.sparse_linear "clock.start" %x{{.*}}weight = #nopt.array<"0x" : tensor<0xi8>>{{.*}}source = #nopt.array<"0x" : tensor<0xi32>>{{.*}}target = #nopt.array<"0x" : tensor<0xi32>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "clock" @clock_integer([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.delay "clock.wait1" [[B]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.linear "fc" [[D]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.sum [[E]], %{{\S+}}
// CHECK-NEXT:    [[G:%\S+]] = ntensor.sparse_linear "fc.bias" [[C]]{{.*}}weight = #nopt.array<[7, -3, 7, 6] : tensor<4xi8>>{{.*}}source = #nopt.array<[0, 0, 1, 2] : tensor<4xi32>>{{.*}}target = #nopt.array<[0, 1, 0, 0] : tensor<4xi32>>
// CHECK-NEXT:    [[H:%\S+]] = ntensor.neuron "a" @over([[F]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    ntensor.output [[H]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-128, 127>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.cmp gt %x, %0 : !fixed.int<-128, 127>, !fixed.int<0, 0>
  ntensor.emit %1 : i1
}
ntensor.network @pieces("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0], [0, 1]] : tensor<2x2xi8>>, bias = #nopt.array<[20, -3] : tensor<2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<[[0.5], [0.25]] : tensor<2x1xf64>>>} : tensor<2xi1> -> tensor<2xi8>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xi8>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}

// -----

// A bias of channels becomes one of neurons; two ops with equal latency share the clock.
// CHECK-LABEL: ntensor.network @channels(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 1 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.sparse_linear "clock.start" %x{{.*}}weight = #nopt.array<"0x" : tensor<0xi8>>{{.*}}source = #nopt.array<"0x" : tensor<0xi32>>{{.*}}target = #nopt.array<"0x" : tensor<0xi32>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "clock" @clock_integer([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.delay "clock.wait1" [[B]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.conv1d "conv" [[D]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.sparse_linear "conv.bias" [[C]]{{.*}}weight = #nopt.array<[0.5, 0.5, 0.25, 0.25] : tensor<4xf64>>{{.*}}source = #nopt.array<[0, 0, 0, 0] : tensor<4xi32>>{{.*}}target = #nopt.array<[0, 1, 2, 3] : tensor<4xi32>>
// CHECK-NEXT:    [[G:%\S+]] = ntensor.conv1d "other" [[D]]{{.*}}machine.latency = 1 : i64{{.*}}exponent = #nopt.array<[1, 2] : tensor<2xi8>>
// CHECK-NEXT:    [[H:%\S+]] = ntensor.sum [[G]], %{{\S+}}
// CHECK-NEXT:    [[I:%\S+]] = ntensor.sparse_linear "other.bias" [[C]]{{.*}}weight = #nopt.array<[1.0, 1.0] : tensor<2xf64>>{{.*}}source = #nopt.array<[0, 0] : tensor<2xi32>>{{.*}}target = #nopt.array<[2, 3] : tensor<2xi32>>{{.*}}exponent = #nopt.array<{{\[\[}}1, 1], [2, 2{{\]\]}} : tensor<2x2xi8>>
// CHECK-NEXT:    [[J:%\S+]] = ntensor.sum [[E]], [[F]], [[H]]
// CHECK-NEXT:    [[K:%\S+]] = ntensor.neuron "a" @over([[J]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    ntensor.output [[K]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @channels("in" %x: tensor<1x2xi1>) -> ("out": tensor<2x2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.conv1d "conv" %x {weight = #nopt.array<[[[1.0]], [[1.0]]] : tensor<2x1x1xf64>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf64>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64} : tensor<1x2xi1> -> tensor<2x2xf64>
  %g = ntensor.conv1d "other" %x {weight = #nopt.array<[[[1.0]], [[1.0]]] : tensor<2x1x1xf64>>, bias = #nopt.array<[0.0, 1.0] : tensor<2xf64>>, exponent = #nopt.array<[1, 2] : tensor<2xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64} : tensor<1x2xi1> -> tensor<2x2xf64>
  %k = ntensor.sum %h, %g : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}} : (tensor<2x2xf64>) -> tensor<2x2xi1>
  ntensor.output %a : tensor<2x2xi1>
}

// -----

// A bias of zeros is ignored.
// CHECK-LABEL: ntensor.network @zeros(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 1 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc" [[A]]{{.*}}machine.latency = 1 : i64{{.*}}bias = #nopt.array<[0.0, 0.0] : tensor<2xf64>>
// CHECK-NEXT:    [[C:%\S+]] = ntensor.neuron "a" @over([[B]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    ntensor.output [[C]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @zeros("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>, bias = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}

// -----

// A bias whose op is not delayed is kept; real inputs need a clock of reals.
// CHECK-LABEL: ntensor.network @early(
// CHECK-SAME:    attributes {tick_ns = 1000 : i64, machine.latency_ticks = {out = 1 : i64}} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.sparse_linear "clock.start" %x{{.*}}weight = #nopt.array<"0x" : tensor<0xf32>>{{.*}}source = #nopt.array<"0x" : tensor<0xi32>>{{.*}}target = #nopt.array<"0x" : tensor<0xi32>>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "clock" @clock_real([[A]])
// CHECK-NEXT:    [[C:%\S+]] = ntensor.delay "clock.wait1" [[B]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "in.wait1" %x{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[E:%\S+]] = ntensor.linear "fc" [[D]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[F:%\S+]] = ntensor.sparse_linear "fc.bias" [[C]]{{.*}}weight = #nopt.array<[1.0] : tensor<1xf64>>{{.*}}source = #nopt.array<[0] : tensor<1xi32>>{{.*}}target = #nopt.array<[0] : tensor<1xi32>>
// CHECK-NEXT:    [[G:%\S+]] = ntensor.linear "wide" %y{{.*}}bias = #nopt.array<[0.0, 2.0] : tensor<2xf64>>
// CHECK-NEXT:    [[H:%\S+]] = ntensor.delay "wait" [[G]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[I:%\S+]] = ntensor.neuron "a" @over([[H]])
// CHECK-NEXT:    [[J:%\S+]] = ntensor.delay "a.wait1" [[I]]{{.*}}ticks = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:    [[K:%\S+]] = ntensor.linear "on" [[J]]{{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    [[L:%\S+]] = ntensor.sum [[E]], [[F]], [[K]]
// CHECK-NEXT:    [[M:%\S+]] = ntensor.neuron "b" @over([[L]]){{.*}}machine.latency = 1 : i64
// CHECK-NEXT:    ntensor.output [[M]] :
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @early("in" %x: tensor<2xf64>, "two" %y: tensor<2xf64>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>, bias = #nopt.array<[1.0, 0.0] : tensor<2xf64>>} : tensor<2xf64> -> tensor<2xf64>
  %g = ntensor.linear "wide" %y {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>, bias = #nopt.array<[0.0, 2.0] : tensor<2xf64>>} : tensor<2xf64> -> tensor<2xf64>
  %d = ntensor.delay "wait" %g {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf64>
  %a = ntensor.neuron "a" @over(%d) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.linear "on" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %k = ntensor.sum %h, %i : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%k) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}

// -----

// A sum pool of four spikes is at most 4, although its type holds 127: 4 x 20 + 20 fits in i8, and 4 x 20 without the bias.
// CHECK-LABEL: ntensor.network @pooled(
// CHECK:         ntensor.linear "fc" {{.*}}machine.latency = 1 : i64
// CHECK-NOT:     bias =
// CHECK:         ntensor.sparse_linear "fc.bias" {{.*}}weight = #nopt.array<[20] : tensor<1xi8>>
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-128, 127>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.cmp gt %x, %0 : !fixed.int<-128, 127>, !fixed.int<0, 0>
  ntensor.emit %1 : i1
}
ntensor.network @pooled("in" %x: tensor<1x2x2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %p = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xi8>
  %f = ntensor.reshape "flat" %p : tensor<1x1x1xi8> -> tensor<1xi8>
  %h = ntensor.linear "fc" %f {weight = #nopt.array<[[20]] : tensor<1x1xi8>>, bias = #nopt.array<[20] : tensor<1xi8>>} : tensor<1xi8> -> tensor<1xi8>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<1xi8>) -> tensor<1xi1>
  ntensor.output %a : tensor<1xi1>
}

// -----

// After a calibration, the clock has its rate: it fires in each tick.
// CHECK-LABEL: ntensor.network @observed(
// CHECK:         ntensor.neuron "clock" @clock_integer({{.*}}ntensor.observed = {rate = 1.000000e+00 : f64}
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-128, 127>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.cmp gt %x, %0 : !fixed.int<-128, 127>, !fixed.int<0, 0>
  ntensor.emit %1 : i1
}
ntensor.network @observed("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000, ntensor.observed = {samples = 4 : i64}} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0], [0, 1]] : tensor<2x2xi8>>, bias = #nopt.array<[20, -3] : tensor<2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<[[0.5], [0.25]] : tensor<2x1xf64>>>} : tensor<2xi1> -> tensor<2xi8>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xi8>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}
