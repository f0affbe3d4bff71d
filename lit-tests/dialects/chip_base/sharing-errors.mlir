// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// The second vertex reads the inputs 1 and 2: three axons of a core that has two.
// CHECK:      error[DEV016]: input axons 3 exceed the limit 2
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: at most 2 axons (asic/mesh, core.input_axons: set by the user)
// CHECK-NEXT:   found: 3 axons of lif1/0, lif1/1
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 0.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", machine.set = ["core.input_axons=2"], tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<3xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<3xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0, 0], [1, 2, 0], [0, 2, 2]] : tensor<3x3xi8>>} : tensor<3xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 3]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  // expected-error @below {{[DEV016]}}
  // expected-note @below {{the vertices share core 0 (0, 0)}}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 2 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
}
