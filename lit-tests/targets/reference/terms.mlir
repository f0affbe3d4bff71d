// RUN: python %S/inputs/save.py %t.npy '[[1, 1, 1], [0, 1, 1], [0, 0, 0]]'
// RUN: nopt run %s --input %t.npy --record each.i --record sum.i -o %t.npz
// RUN: python %S/inputs/show.py %t.npz | filecheck %s
// RUN: not nopt run %s --input %t.npy --record fc 2>&1 | filecheck %s --check-prefix=RECORD

// Weights 100, 50, -60 accumulate in s8 in this order. Event by event: sat(sat(0 + 100) + 50) - 60 = 127 - 60 = 67, then
// sat(67 + 50) - 60 = 57, then no event. Added first: 90, then 90 - 10 = 80, then 80.
// CHECK-LABEL: each.i: int32
// CHECK-NEXT: [67]
// CHECK-NEXT: [57]
// CHECK-NEXT: [57]
// CHECK-LABEL: sum.i: int32
// CHECK-NEXT: [90]
// CHECK-NEXT: [80]
// CHECK-NEXT: [80]

// Terms have no sum to record.
// RECORD: error[SIM017]: "fc" produces terms, which the neuron adds one by one
// RECORD-NEXT: at: record fc
// RECORD-NEXT: expected: a node that produces a signal, or a state
// RECORD-NEXT: found: tensor<1x!ntensor.terms<8>>
// RECORD-NEXT: help: nopt run {{.*}}terms.mlir --input {{.*}}terms.mlir.tmp.npy --record each

ntensor.update @each <graded> states ["i"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-128, 127>
  ntensor.initial %1 : !fixed.int<-128, 127>
} step {
^bb0(%i: !fixed.int<-128, 127>):
  ntensor.emit %i, %i : !fixed.int<-128, 127>, !fixed.int<-128, 127>
} each ["a"] into ["i"] accumulate {
^bb0(%a: !fixed.int<-128, 127>, %i: !fixed.int<-128, 127>):
  %0 = fixed.add %i, %a : !fixed.int<-128, 127>, !fixed.int<-128, 127> -> !fixed.int<-256, 254>
  %1 = fixed.saturate %0 : !fixed.int<-256, 254> -> !fixed.int<-128, 127>
  ntensor.accumulated %1 : !fixed.int<-128, 127>
}
ntensor.update @sum <graded> inputs ["a"] states ["i"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-128, 127>
  ntensor.initial %1 : !fixed.int<-128, 127>
} step {
^bb0(%a: !fixed.int<-32768, 32767>, %i: !fixed.int<-128, 127>):
  %0 = fixed.add %i, %a : !fixed.int<-128, 127>, !fixed.int<-32768, 32767> -> !fixed.int<-32896, 32894>
  %1 = fixed.saturate %0 : !fixed.int<-32896, 32894> -> !fixed.int<-128, 127>
  ntensor.emit %1, %1 : !fixed.int<-128, 127>, !fixed.int<-128, 127>
}
ntensor.network @terms("x" %x: tensor<3xi1>) -> ("y": tensor<1x!ntensor.graded<8>>, "z": tensor<1x!ntensor.graded<8>>) attributes {tick_ns = 1000000} {
  %terms = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 50, -60]] : tensor<1x3xi8>>} : tensor<3xi1> -> tensor<1x!ntensor.terms<8>>
  %whole = ntensor.linear "fc2" %x {weight = #nopt.array<[[100, 50, -60]] : tensor<1x3xi8>>} : tensor<3xi1> -> tensor<1xi16>
  %y = ntensor.neuron "each" @each (%terms) {params = {}, initial = {i = #nopt.array<0 : tensor<i8>>}} : (tensor<1x!ntensor.terms<8>>) -> tensor<1x!ntensor.graded<8>>
  %z = ntensor.neuron "sum" @sum (%whole) {params = {}, initial = {i = #nopt.array<0 : tensor<i8>>}} : (tensor<1xi16>) -> tensor<1x!ntensor.graded<8>>
  ntensor.output %y, %z : tensor<1x!ntensor.graded<8>>, tensor<1x!ntensor.graded<8>>
}
