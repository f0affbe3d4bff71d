// RUN: nopt %s -p ntensor-remove-dead | filecheck %s
// RUN: nopt %s -p ntensor-remove-dead -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: nopt %s -p 'ntensor-remove-dead{keep=watched,loop}' | filecheck %s --check-prefix=KEPT
// RUN: nopt %root/examples/rhythm/rhythm.nir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=lava},ntensor-remove-dead' --verify-equivalence %root/examples/rhythm/input.npy --dt 1ms --like lava -o /dev/null 2>&1 | filecheck %s --check-prefix=EQUAL
// EQUAL: ntensor-remove-dead: equal

// Nodes without a path to an output are removed, including loops and updates. A delay that is part of a live node is kept for its records.
// REMARK: remark[NRM002]: populations that no output depends on are removed
// REMARK: found: 2: "watched", "loop"
// REMARK-NEXT: help: nopt {{.*}}ntensor_remove_dead.mlir -p 'ntensor-remove-dead{keep=watched,loop}' -o {{.*}}null
// CHECK: ntensor.update @pass
// CHECK-NOT: ntensor.update
// CHECK-LABEL: ntensor.network @dead
// CHECK-NEXT: ntensor.neuron "live"
// CHECK-NEXT: ntensor.delay "late"
// CHECK-NEXT: ntensor.output
// KEPT: ntensor.update @pass
// KEPT: ntensor.update @other
// KEPT: ntensor.neuron "watched"
// KEPT: ntensor.neuron "loop"
// KEPT-NEXT: ntensor.delay "wait"
// KEPT-NEXT: ntensor.linear "back"
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.000000e+00 : f64
  %z = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %z : i1
}
ntensor.update @other <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.000000e+00 : f64
  %z = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %z : i1
}
ntensor.network @dead("input" %x: tensor<2xf64>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.neuron "live" @pass(%x) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %b = ntensor.delay "late" %a {ticks = #nopt.array<1 : tensor<i64>>, part_of = "live"} : tensor<2xi1>
  %c = ntensor.neuron "watched" @other(%x) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %d = ntensor.neuron "loop" @other(%f) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %e = ntensor.delay "wait" %d {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
  %f = ntensor.linear "back" %e {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf64>
  ntensor.output %a : tensor<2xi1>
}
