// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c{record=n,"n.v"},c-fuse-loops,c-plan-memory' | filecheck %s
// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c,c-fuse-loops,c-plan-memory' -t c | filecheck %s --check-prefix=C

// A potential that starts at 0, adds 4 or 8 times a number, and resets to 0 is a multiple of 4 or 8. Its memory holds the quotient, from -128 / 4 to
// 42 / 4. It is compared with 42 / 4 = 10 and 35 / 8 = 4, rounded down, and its least values are -128 / 4 = -32 and -128 / 8 = -16. A probe multiplies.
// CHECK-LABEL: c.program @whole
// CHECK:       c.buffer "n_v" #c<kind state> {values = #nopt.array<0 : tensor<i64>>} : memref<2xsi8>
// CHECK-NEXT:  {{%[0-9]+}} = c.buffer "n_v_bound" #c<kind constant> {values = #nopt.array<[10, 4] : tensor<2xui8>>}
// CHECK-NEXT:  {{%[0-9]+}} = c.buffer "n_v_bound_1" #c<kind constant> {values = #nopt.array<[-32, -16] : tensor<2xi8>>}
// CHECK:       c.loop "n"
// CHECK-NEXT:  ^bb0(%[[A:[0-9]+]]: !fixed.int<-8, 7>, %[[U:[0-9]+]]: !fixed.int<-32, 10>, %[[T:[0-9]+]]: !fixed.int<4, 10>, %[[L:[0-9]+]]: !fixed.int<-32, -16>
// CHECK:         %[[W:[0-9]+]] = fixed.add %[[U]], %[[A]] : !fixed.int<-32, 10>, !fixed.int<-8, 7> -> !fixed.int<-40, 17>
// CHECK-NEXT:    %[[Z:[0-9]+]] = fixed.cmp gt %[[W]], %[[T]]
// CHECK:         %[[R:[0-9]+]] = fixed.refine %[[W]] : !fixed.int<-40, 17> -> !fixed.int<-40, 10>
// CHECK-NEXT:    %[[S:[0-9]+]] = fixed.select %[[Z]], %{{[0-9]+}}, %[[R]]
// CHECK-NEXT:    %[[Y:[0-9]+]] = fixed.max %[[S]], %[[L]]
// CHECK:         %[[M:[0-9]+]] = fixed.widen %[[Y]]
// CHECK-NEXT:    fixed.mul %[[M]], %{{[0-9]+}}

// The variables of a body whose integers fit have 16 bits where a vector then holds more of them.
// C:      #if defined(__SSE2__)
// C-NEXT: typedef int16_t net_short;
// C-LABEL: static void net_loop_n(
// C:        const net_short v4 = (net_short)(v1 + v0);
// C-NEXT:   const int v5 = v4 > v2;
// C-NEXT:   const net_short v8 = (net_short)(v5 ? 0 : v4);
// C-NEXT:   const net_short v9 = (net_short)(v8 > v3 ? v8 : v3);
ntensor.update @if.i8 <spike> inputs ["a"] states ["v"] params ["gain", "th"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt, %dt : f64, f64
} initial {
^bb0(%gain: !fixed.int<1, 100>, %th: !fixed.int<-128, 127>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-128, 127>
  ntensor.initial %1 : !fixed.int<-128, 127>
} step {
^bb0(%a: !fixed.int<-8, 7>, %v: !fixed.int<-128, 127>, %gain: !fixed.int<1, 100>, %th: !fixed.int<-128, 127>):
  %0 = fixed.mul %a, %gain : !fixed.int<-8, 7>, !fixed.int<1, 100> -> !fixed.int<-800, 700>
  %w = fixed.add %v, %0 : !fixed.int<-128, 127>, !fixed.int<-800, 700> -> !fixed.int<-928, 827>
  %z = fixed.cmp gt %w, %th : !fixed.int<-928, 827>, !fixed.int<-128, 127>
  %1 = fixed.constant 0 : !fixed.int<0, 0>
  %2 = fixed.select %z, %1, %w : !fixed.int<0, 0>, !fixed.int<-928, 827> -> !fixed.int<-928, 827>
  %3 = fixed.saturate %2 : !fixed.int<-928, 827> -> !fixed.int<-128, 127>
  ntensor.emit %z, %3 : i1, !fixed.int<-128, 127>
}
ntensor.network @whole("x" %x: tensor<2xi4>) -> ("y": tensor<2xi1>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "n" @if.i8(%x) {params = {gain = #nopt.array<[4, 8] : tensor<2xi8>>, th = #nopt.array<[42, 35] : tensor<2xi8>>}, initial = {v = #nopt.array<0 : tensor<i8>>}} : (tensor<2xi4>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// No factor: the start 4 is not a multiple of 8, and the bound -128 is not a multiple of 3.
// CHECK-LABEL: c.program @bound
// CHECK:       fixed.mul %{{[0-9]+}}, %{{[0-9]+}} : !fixed.int<-8, 7>, !fixed.int<4, 8>
// CHECK:       fixed.mul %{{[0-9]+}}, %{{[0-9]+}} : !fixed.int<-8, 7>, !fixed.int<3, 4>
ntensor.update @if.i8 <spike> inputs ["a"] states ["v"] params ["gain", "th"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt, %dt : f64, f64
} initial {
^bb0(%gain: !fixed.int<1, 100>, %th: !fixed.int<-128, 127>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-128, 127>
  ntensor.initial %1 : !fixed.int<-128, 127>
} step {
^bb0(%a: !fixed.int<-8, 7>, %v: !fixed.int<-128, 127>, %gain: !fixed.int<1, 100>, %th: !fixed.int<-128, 127>):
  %0 = fixed.mul %a, %gain : !fixed.int<-8, 7>, !fixed.int<1, 100> -> !fixed.int<-800, 700>
  %w = fixed.add %v, %0 : !fixed.int<-128, 127>, !fixed.int<-800, 700> -> !fixed.int<-928, 827>
  %z = fixed.cmp gt %w, %th : !fixed.int<-928, 827>, !fixed.int<-128, 127>
  %1 = fixed.constant 0 : !fixed.int<0, 0>
  %2 = fixed.select %z, %1, %w : !fixed.int<0, 0>, !fixed.int<-928, 827> -> !fixed.int<-928, 827>
  %3 = fixed.saturate %2 : !fixed.int<-928, 827> -> !fixed.int<-128, 127>
  ntensor.emit %z, %3 : i1, !fixed.int<-128, 127>
}
ntensor.network @bound("x" %x: tensor<2xi4>) -> ("y": tensor<2xi1>, "s": tensor<2xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.neuron "n" @if.i8(%x) {params = {gain = #nopt.array<[3, 4] : tensor<2xi8>>, th = #nopt.array<[42, 35] : tensor<2xi8>>}, initial = {v = #nopt.array<0 : tensor<i8>>}} : (tensor<2xi4>) -> tensor<2xi1>
  %s = ntensor.neuron "start" @if.i8(%x) {params = {gain = #nopt.array<[4, 8] : tensor<2xi8>>, th = #nopt.array<[42, 35] : tensor<2xi8>>}, initial = {v = #nopt.array<4 : tensor<i8>>}} : (tensor<2xi4>) -> tensor<2xi1>
  ntensor.output %y, %s : tensor<2xi1>, tensor<2xi1>
}

// -----

// No factor: the threshold, which a spike subtracts, is not a multiple of the gain.
// CHECK-LABEL: c.program @subtract
// CHECK:       fixed.mul %{{[0-9]+}}, %{{[0-9]+}} : !fixed.int<-8, 7>, !fixed.int<4, 8>
ntensor.update @soft.i8 <spike> inputs ["a"] states ["v"] params ["gain", "th"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt, %dt : f64, f64
} initial {
^bb0(%gain: !fixed.int<1, 100>, %th: !fixed.int<-128, 127>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-128, 127>
  ntensor.initial %1 : !fixed.int<-128, 127>
} step {
^bb0(%a: !fixed.int<-8, 7>, %v: !fixed.int<-128, 127>, %gain: !fixed.int<1, 100>, %th: !fixed.int<-128, 127>):
  %0 = fixed.mul %a, %gain : !fixed.int<-8, 7>, !fixed.int<1, 100> -> !fixed.int<-800, 700>
  %w = fixed.add %v, %0 : !fixed.int<-128, 127>, !fixed.int<-800, 700> -> !fixed.int<-928, 827>
  %z = fixed.cmp gt %w, %th : !fixed.int<-928, 827>, !fixed.int<-128, 127>
  %1 = fixed.sub %w, %th : !fixed.int<-928, 827>, !fixed.int<-128, 127> -> !fixed.int<-1055, 955>
  %2 = fixed.select %z, %1, %w : !fixed.int<-1055, 955>, !fixed.int<-928, 827> -> !fixed.int<-1055, 955>
  %3 = fixed.saturate %2 : !fixed.int<-1055, 955> -> !fixed.int<-128, 127>
  ntensor.emit %z, %3 : i1, !fixed.int<-128, 127>
}
ntensor.network @subtract("x" %x: tensor<2xi4>) -> ("y": tensor<2xi1>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "n" @soft.i8(%x) {params = {gain = #nopt.array<[4, 8] : tensor<2xi8>>, th = #nopt.array<[42, 35] : tensor<2xi8>>}, initial = {v = #nopt.array<0 : tensor<i8>>}} : (tensor<2xi4>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
