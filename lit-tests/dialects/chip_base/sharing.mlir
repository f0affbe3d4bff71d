// RUN: nopt %s | filecheck %s
// RUN: mutate "s/core.input_axons=2/core.input_axons=3/" %s | nopt - -o /dev/null

// The vertices of a core read the inputs 0 and 1, and 1: two axons, of which they share one. The core has two.
// CHECK: machine.vertex "lif1/0" {{.*}} core = 0
// CHECK-NEXT: machine.vertex "lif1/1" {{.*}} core = 0
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", machine.set = ["core.input_axons=2"], tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<3xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<3xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0, 0], [1, 2, 0], [0, 2, 0]] : tensor<3x3xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<3xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 3]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 0 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[0, 1] : tensor<2xi32>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}
