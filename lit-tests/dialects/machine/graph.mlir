// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s
// RUN: nopt %s > %t.a && nopt %t.a > %t.b && diff %t.a %t.b

// A routed graph of three slices: each slice has a core, each edge is delivered. The input sends both of its neurons to core 0, which is
// its own core, and the second one over a link to core 1. Declared needs are those that are counted.
// CHECK-LABEL: machine.graph @routed attributes {machine.device = #nopt.device<"asic/mesh", digest = d{{[0-9a-f]+}}>, tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
// CHECK-NEXT:    machine.input "input" : tensor<2xi1>
// CHECK-NEXT:    machine.projection "fc1" from "input" {
// CHECK-NEXT:    ^bb0(%{{\S+}}: tensor<2xi1>):
// CHECK-NEXT:      ntensor.linear "fc1"
// CHECK-NEXT:      machine.yield %{{\S+}} : tensor<3xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    machine.population "lif1" @pass adds
// CHECK-SAME:    {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
// CHECK-NEXT:    machine.output "output" of "lif1" : tensor<3xi1>
// CHECK-NEXT:    machine.vertex "input/0" of "input" {box = {{.*}}, core = 0 : i64}
// CHECK-NEXT:    machine.vertex "lif1/0" of "lif1" {box = {{.*}}, needs = {synapses = 3 : i64, input_axons = 2 : i64}, core = 0 : i64}
// CHECK-NEXT:    machine.vertex "lif1/1" of "lif1" {box = {{.*}}, needs = {synapses = 1 : i64}, core = 1 : i64}
// CHECK-NEXT:    machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.000000e+00 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
// CHECK-NEXT:    machine.edge "fc1" : "input/0" -> "lif1/1" {{{.*}}, sources = #nopt.array<[1] : tensor<1xi32>>}
// CHECK-NEXT:    machine.route "input/0" {links = {{.*}}, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @routed attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {synapses = 3 : i64, input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {synapses = 1 : i64}, core = 1 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0]] : tensor<1x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// A device of four chips with 4 x 4 cores, side by side: core 16 is the first of chip 1. The link from x = 3 of chip 0 to x = 0 of
// chip 1 is a crossing. `order` lists the neurons of a population; slices are ranges of it.
// CHECK-LABEL: machine.graph @chips
// CHECK:         machine.population "b" @pass adds
// CHECK-SAME:    order = #nopt.array<[2, 0, 1] : tensor<3xi64>>
// CHECK:         machine.route "a/0" {links = #nopt.array<[[0, 3, 1, 1, 0, 1]] : tensor<1x6xi64>>
machine.graph @chips attributes {machine.device = "asic/multi", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "a" : tensor<3xf32>
  machine.projection "same" from "a" {
  ^bb0(%x: tensor<3xf32>):
    machine.yield %x : tensor<3xf32>
  }
  machine.population "b" @pass adds [["same"]] {params = {}, initial = {}, order = #nopt.array<[2, 0, 1] : tensor<3xi64>>} : (tensor<3xf32>) -> tensor<3xi1>
  machine.vertex "a/0" of "a" {box = #nopt.array<[[0, 3]] : tensor<1x2xi64>>, core = 7 : i64}
  machine.vertex "b/0" of "b" {box = #nopt.array<[[0, 3]] : tensor<1x2xi64>>, core = 20 : i64}
  machine.edge "same" : "a/0" -> "b/0" {synapses = 3 : i64, axons = 3 : i64, activity = 3.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.route "a/0" {links = #nopt.array<[[0, 3, 1, 1, 0, 1]] : tensor<1x6xi64>>, activity = #nopt.array<[3.0] : tensor<1xf64>>}
}

// An operand may be a sum of several projections, added from left to right. A graph need not specify a device.
// CHECK-LABEL: machine.graph @sums
// CHECK:         machine.population "p" @pass adds
// CHECK-SAME:    (tensor<2xf32>) -> tensor<2xi1>
machine.graph @sums attributes {tick_ns = 1000 : i64, stage = #machine.stage<partitioned>} {
  machine.input "x" : tensor<2xi1>
  machine.projection "spikes" from "x" {
  ^bb0(%x: tensor<2xi1>):
    machine.yield %x : tensor<2xi1>
  }
  machine.projection "back" from "p" {
  ^bb0(%z: tensor<2xi1>):
    %d = ntensor.delay "d" %z {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
    %y = ntensor.scale "back" %d {scale = #nopt.array<-1.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xf32>
    machine.yield %y : tensor<2xf32>
  }
  machine.population "p" @pass adds [["spikes", "back"]] {params = {}, initial = {}} : (tensor<2xf32>) -> tensor<2xi1>
  machine.vertex "x/0" of "x" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>}
  machine.vertex "p/0" of "p" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>}
  machine.edge "spikes" : "x/0" -> "p/0" {synapses = 2 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "back" : "p/0" -> "p/0" {synapses = 2 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
}
