// RUN: nopt %s --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file | nopt - --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: nopt %s --split-input-file --print-op-generic | nopt - --split-input-file | filecheck %s

// A leaky neuron whose decay is derived in f64 and stored in f32. The record is v before the reset.
// CHECK-LABEL: ntensor.update @leaky <spike> inputs ["x"] states ["v"] params ["a", "threshold"] raw ["tau", "threshold"] canonical ["decay"] records ["v"] derive {
// CHECK-NEXT:  ^bb0(%dt: f64, %tau: f64, %threshold: f64):
// CHECK-NEXT:    %{{.*}} = arith.divf %dt, %tau : f64
// CHECK:         ntensor.derived %a, %threshold, %a : f64, f64, f64
// CHECK-NEXT:  } initial {
// CHECK-NEXT:  ^bb0(%{{.*}}: f32, %{{.*}}: f32):
// CHECK-NEXT:    %{{.*}} = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    ntensor.initial %{{.*}} : f32
// CHECK-NEXT:  } step {
// CHECK-NEXT:  ^bb0(%x: f32, %v: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK:         %{{.*}} = ntensor.let "z" %{{.*}} : i1
// CHECK:         ntensor.emit %{{.*}}, %{{.*}}, %{{.*}} : i1, f32, f32
// CHECK-NEXT:  }
// GENERIC-LABEL: "ntensor.update"() <{sym_name = "leaky", emits = #ntensor.emits<spike>, inputs = ["x"], states = ["v"], params = ["a", "threshold"], raw = ["tau", "threshold"], canonical = ["decay"], records = ["v"]}> ({
// GENERIC:       "ntensor.derived"(%a, %threshold, %a) : (f64, f64, f64) -> ()
// GENERIC-NEXT:  }, {
// GENERIC:       "ntensor.initial"(%{{.*}}) : (f32) -> ()
// GENERIC-NEXT:  }, {
// GENERIC:       "ntensor.let"(%{{.*}}) <{variable = "z"}> : (i1) -> i1
// GENERIC:       "ntensor.emit"(%{{.*}}, %{{.*}}, %{{.*}}) : (i1, f32, f32) -> ()
ntensor.update @leaky <spike> inputs ["x"] states ["v"] params ["a", "threshold"] raw ["tau", "threshold"] canonical ["decay"] records ["v"] derive {
^bb0(%dt: f64, %tau: f64, %threshold: f64):
  %0 = arith.divf %dt, %tau : f64
  %1 = arith.negf %0 : f64
  %2 = math.exp %1 : f64
  %a = ntensor.let "a" %2 : f64
  ntensor.derived %a, %threshold, %a : f64, f64, f64
} initial {
^bb0(%a: f32, %threshold: f32):
  %0 = arith.constant 0.0 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32, %a: f32, %threshold: f32):
  %0 = arith.mulf %a, %v : f32
  %1 = arith.addf %0, %x : f32
  %w = ntensor.let "v" %1 : f32
  %2 = arith.cmpf ogt, %w, %threshold : f32
  %z = ntensor.let "z" %2 : i1
  %3 = arith.constant 0.0 : f32
  %4 = arith.select %z, %3, %w : f32
  ntensor.emit %z, %4, %w : i1, f32, f32
}

// exp(-1e-3 / 2e-2) = 0.951229; f32 holds 0.95122942.
// CHECK:      %z = ntensor.neuron "lif 1" @leaky(%x) {family = "lif", canonical = {decay = #nopt.array<0.951229424500714 : tensor<f64>>}, params = {a = #nopt.array<0.9512294 : tensor<f32>>, threshold = #nopt.array<[1.0, 0.5] : tensor<2xf32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: %y = ntensor.neuron "bare" @leaky(%z) {params = {{.*}}, initial = {v = #nopt.array<[0.25, -0.25] : tensor<2xf32>>}} : (tensor<2xi1>) -> tensor<2xi1>
// GENERIC:      %z = "ntensor.neuron"(%x) <{node = "lif 1", update = @leaky, family = "lif", canonical = {{.*}}, params = {{.*}}, initial = {{.*}}}> : (tensor<2xi1>) -> tensor<2xi1>
// GENERIC-NEXT: %y = "ntensor.neuron"(%z) <{node = "bare", update = @leaky, params = {{.*}}, initial = {{.*}}}> : (tensor<2xi1>) -> tensor<2xi1>
ntensor.network @populations("x" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000 : i64} {
  %z = ntensor.neuron "lif 1" @leaky(%x) {family = "lif", canonical = {decay = #nopt.array<0.951229424500714 : tensor<f64>>}, params = {a = #nopt.array<0.9512294 : tensor<f32>>, threshold = #nopt.array<[1.0, 0.5] : tensor<2xf32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xi1>) -> tensor<2xi1>
  %y = ntensor.neuron "bare" @leaky(%z) {params = {a = #nopt.array<0.5 : tensor<f64>>, threshold = #nopt.array<1 : tensor<i32>>}, initial = {v = #nopt.array<[0.25, -0.25] : tensor<2xf32>>}} : (tensor<2xi1>) -> tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}

// -----

// Two inputs, no state, no parameters: the sum of spikes and values is a value. Groups without content are accepted, and not printed.
// CHECK-LABEL: ntensor.update @both <value> inputs ["a", "b"] step {
// CHECK:       %{{.*}} = ntensor.neuron "node" @both(%x, %y) {params = {}, initial = {}} : (tensor<2xi1>, tensor<2xf32>) -> tensor<2xf64>
ntensor.update @both <value> inputs ["a", "b"] states [] params [] raw [] canonical [] records [] derive {
^bb0(%dt: f64):
  ntensor.derived
} initial {
  ntensor.initial
} step {
^bb0(%a: f64, %b: f64):
  %0 = arith.addf %a, %b : f64
  ntensor.emit %0 : f64
}
ntensor.network @two("x" %x: tensor<2xi1>, "y" %y: tensor<2xf32>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "node" @both(%x, %y) {params = {}, initial = {}} : (tensor<2xi1>, tensor<2xf32>) -> tensor<2xf64>
  ntensor.output %z : tensor<2xf64>
}

// -----

// A counter: its result type is the narrowest of its kind. 0..9 takes 4 bits of a count, 5 signed bits of a
// payload, and i8 of a value.
// CHECK-LABEL: ntensor.update @count <count>
// CHECK:       ntensor.emit %{{.*}}, %{{.*}} : !fixed.int<0, 9>, !fixed.int<0, 9>
// CHECK-LABEL: ntensor.update @graded <graded>
// CHECK-LABEL: ntensor.update @value <value>
// CHECK-LABEL: ntensor.network @kinds
// CHECK-NEXT:  %{{.*}} = ntensor.neuron "c" @count(%x) {{.*}} -> tensor<1x!ntensor.count<4>>
// CHECK-NEXT:  %{{.*}} = ntensor.neuron "g" @graded(%x) {{.*}} -> tensor<1x!ntensor.graded<5>>
// CHECK-NEXT:  %{{.*}} = ntensor.neuron "v" @value(%x) {{.*}} -> tensor<1xi8>
// GENERIC:     emits = #ntensor.emits<count>
// GENERIC:     emits = #ntensor.emits<graded>
// GENERIC:     emits = #ntensor.emits<value>
ntensor.update @count <count> inputs ["x"] states ["n"] params ["most"] raw ["most"] derive {
^bb0(%dt: f64, %most: f64):
  ntensor.derived %most : f64
} initial {
^bb0(%most: !fixed.int<0, 9>):
  ntensor.initial %most : !fixed.int<0, 9>
} step {
^bb0(%x: i1, %n: !fixed.int<0, 9>, %most: !fixed.int<0, 9>):
  ntensor.emit %n, %most : !fixed.int<0, 9>, !fixed.int<0, 9>
}
ntensor.update @graded <graded> inputs ["x"] states ["n"] params ["most"] raw ["most"] derive {
^bb0(%dt: f64, %most: f64):
  ntensor.derived %most : f64
} initial {
^bb0(%most: !fixed.int<0, 9>):
  ntensor.initial %most : !fixed.int<0, 9>
} step {
^bb0(%x: i1, %n: !fixed.int<0, 9>, %most: !fixed.int<0, 9>):
  ntensor.emit %n, %most : !fixed.int<0, 9>, !fixed.int<0, 9>
}
ntensor.update @value <value> inputs ["x"] states ["n"] params ["most"] raw ["most"] derive {
^bb0(%dt: f64, %most: f64):
  ntensor.derived %most : f64
} initial {
^bb0(%most: !fixed.int<0, 9>):
  ntensor.initial %most : !fixed.int<0, 9>
} step {
^bb0(%x: i1, %n: !fixed.int<0, 9>, %most: !fixed.int<0, 9>):
  ntensor.emit %n, %most : !fixed.int<0, 9>, !fixed.int<0, 9>
}
ntensor.network @kinds("x" %x: tensor<1xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %c = ntensor.neuron "c" @count(%x) {params = {most = #nopt.array<9 : tensor<i64>>}, initial = {n = #nopt.array<9 : tensor<i64>>}} : (tensor<1xi1>) -> tensor<1x!ntensor.count<4>>
  %g = ntensor.neuron "g" @graded(%x) {params = {most = #nopt.array<9 : tensor<i64>>}, initial = {n = #nopt.array<9 : tensor<i64>>}} : (tensor<1xi1>) -> tensor<1x!ntensor.graded<5>>
  %v = ntensor.neuron "v" @value(%x) {params = {most = #nopt.array<9 : tensor<i64>>}, initial = {n = #nopt.array<9 : tensor<i64>>}} : (tensor<1xi1>) -> tensor<1xi8>
  ntensor.output %x : tensor<1xi1>
}

// -----

// The operand of an accumulating input is terms: of a synapse, a reshape, or a sum, in which a signal counts as one term.
// CHECK-LABEL: ntensor.update @each <graded> states ["i"] initial {
// CHECK:         ntensor.emit %i, %i : !fixed.int<-128, 127>, !fixed.int<-128, 127>
// CHECK-NEXT:  } each ["a"] into ["i"] accumulate {
// CHECK-NEXT:  ^bb0(%a: !fixed.int<-16, 15>, %{{.*}}: !fixed.int<-128, 127>):
// CHECK:         ntensor.accumulated %{{.*}} : !fixed.int<-128, 127>
// CHECK-NEXT:  }
// CHECK-LABEL: ntensor.network @terms
// CHECK:         ntensor.linear "fc" {{.*}} : tensor<2xi1> -> tensor<2x!ntensor.terms<4>>
// CHECK-NEXT:    ntensor.reshape "column" {{.*}} : tensor<2x!ntensor.terms<4>> -> tensor<2x1x!ntensor.terms<4>>
// CHECK-NEXT:    ntensor.sum {{.*}} : (tensor<2x1x!ntensor.terms<4>>, tensor<2x1xi1>) -> tensor<2x1x!ntensor.terms<5>>
// CHECK-NEXT:    ntensor.neuron "pop" @each(%{{.*}}) {{.*}} : (tensor<2x1x!ntensor.terms<5>>) -> tensor<2x1x!ntensor.graded<8>>
// GENERIC-LABEL: "ntensor.update"() <{sym_name = "each", {{.*}}, each = ["a"], into = ["i"]}> ({
// GENERIC:       "ntensor.accumulated"(%{{.*}}) : (!fixed.int<-128, 127>) -> ()
ntensor.update @each <graded> states ["i"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-128, 127>
  ntensor.initial %1 : !fixed.int<-128, 127>
} step {
^bb0(%i: !fixed.int<-128, 127>):
  ntensor.emit %i, %i : !fixed.int<-128, 127>, !fixed.int<-128, 127>
} each ["a"] into ["i"] accumulate {
^bb0(%a: !fixed.int<-16, 15>, %i: !fixed.int<-128, 127>):
  %2 = fixed.add %i, %a : !fixed.int<-128, 127>, !fixed.int<-16, 15> -> !fixed.int<-144, 142>
  %3 = fixed.wrap %2 : !fixed.int<-144, 142> -> !fixed.int<-128, 127>
  ntensor.accumulated %3 : !fixed.int<-128, 127>
}
ntensor.network @terms("x" %x: tensor<2xi1>, "y" %y: tensor<2x1xi1>) -> ("out": tensor<2x1x!ntensor.graded<8>>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, -8], [7, 0]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2x!ntensor.terms<4>>
  %b = ntensor.reshape "column" %a : tensor<2x!ntensor.terms<4>> -> tensor<2x1x!ntensor.terms<4>>
  %c = ntensor.sum %b, %y : (tensor<2x1x!ntensor.terms<4>>, tensor<2x1xi1>) -> tensor<2x1x!ntensor.terms<5>>
  %z = ntensor.neuron "pop" @each(%c) {params = {}, initial = {i = #nopt.array<0 : tensor<i8>>}} : (tensor<2x1x!ntensor.terms<5>>) -> tensor<2x1x!ntensor.graded<8>>
  ntensor.output %z : tensor<2x1x!ntensor.graded<8>>
}
