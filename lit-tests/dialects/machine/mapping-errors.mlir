// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A slice must not be empty.
// CHECK:      error[MCH005]: box is empty
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: first index < end
// CHECK-NEXT:   found: {{\[\[}}3, 3]]
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[3, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A box must have two ends for each axis.
// CHECK:      error[MCH005]: box is invalid
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: integers from 0, [n, 2]
// CHECK-NEXT:   found: [2]
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[2, 3] : tensor<2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// An entry of `needs` must be a count.
// CHECK:      error[MCH005]: input_axons is not a count
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: an integer from 0
// CHECK-NEXT:   found: "few"
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = "few"}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The number of a core must not be negative.
// CHECK:      error[MCH005]: core is negative
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: 0 or more
// CHECK-NEXT:   found: -1
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = -1 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The number of synapses must not be negative.
// CHECK:      error[MCH005]: synapses is negative
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   expected: 0 or more
// CHECK-NEXT:   found: -3
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = -3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The number of sources must equal the number of axons.
// CHECK:      error[MCH005]: sources is invalid
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   expected: integers from 0, [1]
// CHECK-NEXT:   found: [2]
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[0, 1] : tensor<2xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The activity of an edge must not be negative.
// CHECK:      error[MCH005]: activity is negative
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   expected: 0 or more
// CHECK-NEXT:   found: -2.0
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = -2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// Delays must be two numbers.
// CHECK:      error[MCH005]: delays is invalid
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   expected: integers from 0, [2]
// CHECK-NEXT:   found: []
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<0 : tensor<i64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A link must have four or six numbers.
// CHECK:      error[MCH005]: links is invalid
// CHECK-NEXT:   at: machine.route
// CHECK-NEXT:   expected: integers from 0, [n, n]
// CHECK-NEXT:   found: [4]
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[0, 0, 1, 0] : tensor<4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The activity of a route must not be negative.
// CHECK:      error[MCH005]: activity is negative
// CHECK-NEXT:   at: machine.route
// CHECK-NEXT:   expected: 0 or more
// CHECK-NEXT:   found: -1.0
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[-1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}
