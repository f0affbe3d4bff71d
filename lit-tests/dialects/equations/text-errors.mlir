// RUN: exits 1 nopt %s -t neuron --split-input-file 2>&1 | filecheck %s

// The language has no tangent.
// CHECK: error[NEU024]: the neuron language does not support: math.tan
// CHECK-NEXT: at: ntensor.update @tangent
// CHECK-NEXT: found: math.tan
ntensor.update @tangent <value> inputs ["x"] step {
^bb0(%x: f64):
  %y = math.tan %x : f64
  ntensor.emit %y : f64
}

// -----

// The language can only add terms to a state.
// CHECK: error[NEU024]: the neuron language does not support: accumulation of a other than i + a
// CHECK-NEXT: at: ntensor.update @least
ntensor.update @least <graded> states ["i"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-8, 7>
  ntensor.initial %1 : !fixed.int<-8, 7>
} step {
^bb0(%i: !fixed.int<-8, 7>):
  ntensor.emit %i, %i : !fixed.int<-8, 7>, !fixed.int<-8, 7>
} each ["a"] into ["i"] accumulate {
^bb0(%a: !fixed.int<-8, 7>, %i: !fixed.int<-8, 7>):
  %2 = fixed.min %i, %a : !fixed.int<-8, 7>, !fixed.int<-8, 7> -> !fixed.int<-8, 7>
  ntensor.accumulated %2 : !fixed.int<-8, 7>
}
