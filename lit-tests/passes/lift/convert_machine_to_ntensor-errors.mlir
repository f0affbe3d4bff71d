// RUN: not nopt %s -p convert-machine-to-ntensor 2>&1 | filecheck %s

// Two ops with the same name must be equal; these are not.
// CHECK:      error[NRM003]: two ops are called "fc" and are not the same
// CHECK-NEXT:   at: ntensor.scale "fc"
// CHECK-NEXT:   expected: one op for each name
// CHECK-NEXT:   found: ntensor.scale and ntensor.scale, which read other signals or have other parameters
// CHECK-NEXT:   help: rename one of the two
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {tick_ns = 1000 : i64, stage = #machine.stage<partitioned>} {
  machine.input "x" : tensor<2xf32>
  machine.projection "a" from "x" {
  ^bb0(%x: tensor<2xf32>):
    %y = ntensor.scale "fc" %x {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
    machine.yield %y : tensor<2xf32>
  }
  machine.projection "b" from "x" {
  ^bb0(%x: tensor<2xf32>):
    %y = ntensor.scale "fc" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
    machine.yield %y : tensor<2xf32>
  }
  machine.population "p" @pass adds [["a", "b"]] {params = {}, initial = {}} : (tensor<2xf32>) -> tensor<2xi1>
  machine.vertex "x/0" of "x" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>}
  machine.vertex "p/0" of "p" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>}
  machine.edge "a" : "x/0" -> "p/0" {synapses = 2 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "b" : "x/0" -> "p/0" {synapses = 2 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
}
