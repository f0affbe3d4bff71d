// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// Vertices are slices of any shape; edges and routes may list some neurons of a vertex, or apply to all. A core is one number; an
// unplaced vertex has none.
// CHECK-LABEL: machine.graph @mapping
// CHECK:         machine.vertex "a/0" of "a" {box = #nopt.array<{{\[\[}}0, 2], [0, 1]] : tensor<2x2xi64>>}
// CHECK-NEXT:    machine.vertex "a/1" of "a" {box = #nopt.array<{{\[\[}}0, 2], [1, 2]] : tensor<2x2xi64>>, core = 3 : i64}
// CHECK-NEXT:    machine.vertex "b/0" of "b" {box = #nopt.array<{{\[\[}}0, 2], [0, 2]] : tensor<2x2xi64>>, needs = {neurons = 4 : i64, classes.thresholds = 1 : i64}}
// CHECK-NEXT:    machine.edge "a" : "a/0" -> "b/0" {synapses = 2 : i64, axons = 2 : i64, activity = 5.000000e-01 : f64, delays = #nopt.array<[1, 4] : tensor<2xi64>>}
// CHECK-NEXT:    machine.edge "a" : "a/1" -> "b/0" {synapses = 1 : i64, axons = 1 : i64, activity = 2.500000e-01 : f64, delays = #nopt.array<[2, 2] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
// CHECK-NEXT:    machine.route "a/0" {links = #nopt.array<"0x" : tensor<0x4xi64>>, activity = #nopt.array<[0.0] : tensor<1xf64>>}
// CHECK-NEXT:    machine.route "a/1" {links = #nopt.array<{{\[\[}}0, 0, 0, 1, 1, 0]] : tensor<1x6xi64>>, activity = #nopt.array<[0.25] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @mapping attributes {tick_ns = 1000 : i64, stage = #machine.stage<partitioned>} {
  machine.input "a" : tensor<2x2xf32>
  machine.projection "a" from "a" {
  ^bb0(%x: tensor<2x2xf32>):
    %y = ntensor.sparse_linear "a" %x {weight = #nopt.array<[1.0, 1.0, 1.0] : tensor<3xf32>>, source = #nopt.array<[0, 2, 3] : tensor<3xi32>>, target = #nopt.array<[0, 2, 3] : tensor<3xi32>>, delay = #nopt.array<[1, 4, 2] : tensor<3xi32>>} : tensor<2x2xf32> -> tensor<2x2xf32>
    machine.yield %y : tensor<2x2xf32>
  }
  machine.population "b" @pass adds [["a"]] {params = {}, initial = {}} : (tensor<2x2xf32>) -> tensor<2x2xi1>
  machine.vertex "a/0" of "a" {box = #nopt.array<[[0, 2], [0, 1]] : tensor<2x2xi64>>}
  machine.vertex "a/1" of "a" {box = #nopt.array<[[0, 2], [1, 2]] : tensor<2x2xi64>>, core = 3 : i64}
  machine.vertex "b/0" of "b" {box = #nopt.array<[[0, 2], [0, 2]] : tensor<2x2xi64>>, needs = {neurons = 4 : i64, classes.thresholds = 1 : i64}}
  machine.edge "a" : "a/0" -> "b/0" {synapses = 2 : i64, axons = 2 : i64, activity = 0.5 : f64, delays = #nopt.array<[1, 4] : tensor<2xi64>>}
  machine.edge "a" : "a/1" -> "b/0" {synapses = 1 : i64, axons = 1 : i64, activity = 0.25 : f64, delays = #nopt.array<[2, 2] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "a/0" {links = #nopt.array<"0x" : tensor<0x4xi64>>, activity = #nopt.array<[0.0] : tensor<1xf64>>}
  machine.route "a/1" {links = #nopt.array<[[0, 0, 0, 1, 1, 0]] : tensor<1x6xi64>>, activity = #nopt.array<[0.25] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}
