// RUN: nopt %s -p 'ntensor-plan-cores{device="%S/../passes/plan/inputs/small.json"},convert-ntensor-to-machine' | filecheck %s

// A chain between two populations is one projection, named after its last op with weights, and stored once for two readers. A sum of sums
// of integers is one sum; a delay of a sum becomes a delay of each operand, with its own name. An empty chain has the name of its source.
// CHECK-LABEL: machine.graph @wired
// CHECK:         machine.projection "fc" from "x" {
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      ntensor.linear "fc"
// CHECK-NEXT:      ntensor.delay "late.fc"
// CHECK-NEXT:      machine.yield
// CHECK:         machine.projection "back" from "a" {
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      ntensor.delay "loop"
// CHECK-NEXT:      ntensor.linear "back"
// CHECK-NEXT:      ntensor.delay "late.back"
// CHECK-NEXT:      machine.yield
// CHECK:         machine.projection "x" from "x" {
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      ntensor.delay "late.x"
// CHECK-NEXT:      machine.yield
// CHECK:         machine.population "a" @lif adds
// CHECK-SAME:    "fc", "back", "x"
// CHECK:         machine.projection "fc2" from "a"
// CHECK-NOT:     machine.projection
// CHECK:         machine.population "b" @lif adds
// CHECK-SAME:    "fc2"
// CHECK-NEXT:    machine.population "c" @lif adds
// CHECK-SAME:    "fc2"
ntensor.update @lif <spike> inputs ["a"] states ["v"] params ["g"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 1.0 : f64
  ntensor.derived %0 : f64
} initial {
^bb0(%g: !fixed.int<0, 15>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.wrap %0 : !fixed.int<0, 0> -> !fixed.int<-32768, 32767>
  ntensor.initial %1 : !fixed.int<-32768, 32767>
} step {
^bb0(%a: !fixed.int<-32768, 32767>, %v: !fixed.int<-32768, 32767>, %g: !fixed.int<0, 15>):
  %0 = fixed.constant 2 : !fixed.int<2, 2>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<2, 2>
  ntensor.emit %1, %a : i1, !fixed.int<-32768, 32767>
}
ntensor.network @wired("x" %x: tensor<2xi1>) -> ("o": tensor<2xi1>, "p": tensor<2xi1>) attributes {tick_ns = 1000} {
  %f = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2], [3, 4]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %d = ntensor.delay "loop" %a {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
  %r = ntensor.linear "back" %d {weight = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi8>
  %s = ntensor.sum %r, %x : (tensor<2xi8>, tensor<2xi1>) -> tensor<2xi8>
  %t = ntensor.sum %f, %s : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi16>
  %l = ntensor.delay "late" %t {ticks = #nopt.array<2 : tensor<i64>>} : tensor<2xi16>
  %a = ntensor.neuron "a" @lif(%l) {params = {g = #nopt.array<1 : tensor<i8>>}, initial = {v = #nopt.array<0 : tensor<i16>>}} : (tensor<2xi16>) -> tensor<2xi1>
  %g = ntensor.linear "fc2" %a {weight = #nopt.array<[[1, 2], [3, 4]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi16>
  %b = ntensor.neuron "b" @lif(%g) {params = {g = #nopt.array<1 : tensor<i8>>}, initial = {v = #nopt.array<0 : tensor<i16>>}} : (tensor<2xi16>) -> tensor<2xi1>
  %c = ntensor.neuron "c" @lif(%g) {params = {g = #nopt.array<1 : tensor<i8>>}, initial = {v = #nopt.array<0 : tensor<i16>>}} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %b, %c : tensor<2xi1>, tensor<2xi1>
}
