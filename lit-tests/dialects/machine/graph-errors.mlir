// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// The source of a projection must be defined.
// CHECK:      error[MCH001]: unknown input or population "inputs"
// CHECK-NEXT:   at: machine.projection "fc1"
// CHECK-NEXT:   expected: one of input, lif1
// CHECK-NEXT:   found: inputs
// CHECK-NEXT:   help: correct the name
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "inputs" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// Two parts must not have the same name.
// CHECK:      error[MCH001]: two parts have the same name
// CHECK-NEXT:   at: machine.output "lif1"
// CHECK-NEXT:   expected: each name once
// CHECK-NEXT:   found: lif1
// CHECK-NEXT:   help: rename one of the two
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "lif1" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The projections of a population must be defined.
// CHECK:      error[MCH001]: unknown projection "fc2"
// CHECK-NEXT:   at: machine.population "lif1"
// CHECK-NEXT:   expected: one of fc1
// CHECK-NEXT:   found: fc2
// CHECK-NEXT:   help: correct the name
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc2"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The vertices of an edge must be defined.
// CHECK:      error[MCH001]: unknown vertex "lif1/2"
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   expected: one of input/0, lif1/0, lif1/1
// CHECK-NEXT:   found: lif1/2
// CHECK-NEXT:   help: correct the name
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/2" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The projection of an edge must be defined.
// CHECK:      error[MCH001]: unknown projection "fc3"
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   expected: one of fc1
// CHECK-NEXT:   found: fc3
// CHECK-NEXT:   help: correct the name
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc3" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The projection of an edge must connect its vertices.
// CHECK:      error[MCH001]: "fc1" does not connect these vertices
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   found: "lif1" -> "lif1"
// CHECK-NEXT:   help: specify the projection that connects them
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "lif1/1" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// An edge must be defined only once.
// CHECK:      error[MCH001]: an edge is defined twice
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   found: "input/0" -> "lif1/0" twice
// CHECK-NEXT:   help: merge the two edges
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The population of a vertex must be defined.
// CHECK:      error[MCH001]: unknown input or population "lif2"
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: one of input, lif1
// CHECK-NEXT:   found: lif2
// CHECK-NEXT:   help: correct the name
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif2" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The operand of a projection must have the type of its source.
// CHECK:      error[MCH002]: the type of the input of the projection differs from its source
// CHECK-NEXT:   at: machine.projection "fc1"
// CHECK-NEXT:   expected: tensor<2xf32>
// CHECK-NEXT:   found: tensor<2xi1>
// CHECK-NEXT:   help: declare the type of the source
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xf32>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// Each operand needs a list of projections.
// CHECK:      error[MCH002]: operands and lists of projections do not match
// CHECK-NEXT:   at: machine.population "lif1"
// CHECK-NEXT:   found: 2 lists for 1 operands
// CHECK-NEXT:   help: list the projections that are added for each operand
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"], []] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A slice must not exceed its population.
// CHECK:      error[MCH003]: a slice lies outside its population
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: a box within [3]
// CHECK-NEXT:   found: {{\[\[}}2, 4]]
// CHECK-NEXT:   help: plan the network again: ntensor-plan-cores
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 4]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// Slices must contain every neuron.
// CHECK:      error[MCH003]: neurons are in no slice
// CHECK-NEXT:   at: machine.population "lif1"
// CHECK-NEXT:   expected: 3 neurons
// CHECK-NEXT:   found: 2 in 2 slices
// CHECK-NEXT:   help: plan the network again: ntensor-plan-cores
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 1]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// Slices must not overlap.
// CHECK:      error[MCH003]: two slices overlap
// CHECK-NEXT:   at: machine.population "lif1"
// CHECK-NEXT:   expected: each neuron in one slice
// CHECK-NEXT:   found: "lif1/0" and "lif1/1"
// CHECK-NEXT:   help: plan the network again: ntensor-plan-cores
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[1, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// An order must be a permutation.
// CHECK:      error[MCH003]: order is not a permutation of the neurons
// CHECK-NEXT:   at: machine.population "lif1"
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: list each flat index once, or omit order
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}, order = #nopt.array<[0, 1, 1] : tensor<3xi64>>} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A slice that reads two neurons needs two axons, whether it declares them or not.
// CHECK:      error[DEV016]: input axons 2 exceed the limit 1
// CHECK-NEXT:   at: machine.vertex "lif1/0"
// CHECK-NEXT:   expected: at most 1 axon (asic/mesh, core.input_axons: set by the user)
// CHECK-NEXT:   found: 2 axons
// CHECK-NEXT:   help: map the network again, with ntensor-plan-cores before convert-ntensor-to-machine
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", machine.set = ["core.input_axons=1"], tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// If several limits are exceeded, the tightest one is the message and the others are notes.
// CHECK:      error[DEV016]: synapse bytes 4 exceed the limit 1
// CHECK-NEXT:   at: machine.vertex "lif1/0"
// CHECK-NEXT:   expected: at most 1 byte (asic/mesh, core.memory.synapses.bytes: set by the user)
// CHECK-NEXT:   found: 4 bytes
// CHECK-NEXT:   help: map the network again, with ntensor-plan-cores before convert-ntensor-to-machine
// CHECK-NEXT:   note: input axons: at most 1 axon (asic/mesh, core.input_axons: set by the user), found 2 axons
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", machine.set = ["core.input_axons=1", "core.memory.synapses.bytes=1", "core.memory_bytes=65537"], tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A violated contract, `neuron_bytes <= neurons * 64 byte`, is explained by its parts.
// CHECK:      error[DEV021]: a contract of the device does not hold
// CHECK-NEXT:   at: machine.vertex "lif1/0"
// CHECK-NEXT:   expected: neuron_bytes <= neurons * 64 byte (asic/mesh, constraints
// CHECK-NEXT:   found: ! neuron_bytes <= neurons * 64 byte: fails, 16 bytes too many
// CHECK-NEXT:         neuron_bytes = 144 bytes
// CHECK-NEXT:         neurons * 64 byte = 128 bytes
// CHECK-NEXT:           neurons = 2
// CHECK-NEXT:   help: neuron_bytes at most 128 bytes or neurons at least 3
// CHECK-NEXT:   note: neuron_bytes = 144 bytes, limit neurons * 64 byte = 128 bytes: 16 bytes too many
ntensor.update @pass <spike> inputs ["x"] states ["a", "b", "c", "d", "e", "f", "g", "h", "i"] initial {
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0, %0, %0, %0, %0, %0, %0, %0, %0 : f64, f64, f64, f64, f64, f64, f64, f64, f64
} step {
^bb0(%x: f32, %a: f64, %b: f64, %c: f64, %d: f64, %e: f64, %f: f64, %g: f64, %h: f64, %i: f64):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z, %a, %b, %c, %d, %e, %f, %g, %h, %i : i1, f64, f64, f64, f64, f64, f64, f64, f64, f64
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {a = #nopt.array<0.0 : tensor<f64>>, b = #nopt.array<0.0 : tensor<f64>>, c = #nopt.array<0.0 : tensor<f64>>, d = #nopt.array<0.0 : tensor<f64>>, e = #nopt.array<0.0 : tensor<f64>>, f = #nopt.array<0.0 : tensor<f64>>, g = #nopt.array<0.0 : tensor<f64>>, h = #nopt.array<0.0 : tensor<f64>>, i = #nopt.array<0.0 : tensor<f64>>}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {neuron_bytes = 144 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// In a placed graph every vertex needs a core.
// CHECK:      error[MCH006]: the vertex has no core
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: core = N
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: place the graph again
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The core must exist on the device.
// CHECK:      error[MCH006]: the device has no such core
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: cores 0 to 35
// CHECK-NEXT:   found: core 36
// CHECK-NEXT:   help: place the graph again
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 36 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The core must not be reserved.
// CHECK:      error[MCH006]: the core does not work, or is reserved
// CHECK-NEXT:   at: machine.vertex "lif1/0"
// CHECK-NEXT:   expected: a free core
// CHECK-NEXT:   found: core 0 (0, 0) of chip 1
// CHECK-NEXT:   help: place the graph again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/multi", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 16 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// Each of the two vertices fits the core, but not both together: they read inputs 0 and 1, and 1 and 2.
// CHECK:      error[DEV016]: input axons 3 exceed the limit 2
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: at most 2 axons (asic/mesh, core.input_axons: set by the user)
// CHECK-NEXT:   found: 3 axons of lif1/0, lif1/1
// CHECK-NEXT:   help: place the graph again
// CHECK-NEXT:   note: the vertices share core 0 (0, 0)
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0, 0], [1, 2, 0], [0, 2, 4]] : tensor<3x3xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<3xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 3]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[0, 1] : tensor<2xi32>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 2 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1, 2] : tensor<2xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A link must have the form of the topology.
// CHECK:      error[MCH008]: a link has another form, from "input/0"
// CHECK-NEXT:   at: machine.route
// CHECK-NEXT:   expected: [links, 4] of [x, y, next x, next y], or [links, 6] with the chip before x
// CHECK-NEXT:   found: hop 0 of 2: [0, 2]
// CHECK-NEXT:   help: route the graph again
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 2], [0, 1]] : tensor<2x2xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A link must not leave the device.
// CHECK:      error[MCH008]: a link leaves the device, from "input/0"
// CHECK-NEXT:   at: machine.route
// CHECK-NEXT:   expected: links between neighbours, each once, that lead away from the source
// CHECK-NEXT:   found: hop 1 of 2: (1, 0) to (6, 0)
// CHECK-NEXT:   help: route the graph again
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 6, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A link must connect neighbouring cores.
// CHECK:      error[MCH008]: a link does not connect neighbours, from "input/0"
// CHECK-NEXT:   at: machine.route
// CHECK-NEXT:   expected: links between neighbours, each once, that lead away from the source
// CHECK-NEXT:   found: hop 1 of 2: (1, 0) to (3, 0)
// CHECK-NEXT:   help: route the graph again
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 3, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A link must be reachable from the source.
// CHECK:      error[MCH009]: edge "input/0" -> "lif1/1" of "fc1" is not delivered
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   expected: a route from core 0 (0, 0) to core 2 (2, 0) for each of its 1 sources
// CHECK-NEXT:   found: none for 1 of them, the first at index 1: hop 0 of 2, core 0 (0, 0) to core 1 (1, 0)
// CHECK-NEXT:   help: route the graph again
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 0, 1], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// Every link must be reachable, even if every edge is delivered.
// CHECK:      error[MCH008]: a link is not reachable from the source, from "input/0"
// CHECK-NEXT:   at: machine.route
// CHECK-NEXT:   expected: links between neighbours, each once, that lead away from the source
// CHECK-NEXT:   found: hop 2 of 3: (5, 4) to (5, 5)
// CHECK-NEXT:   help: route the graph again
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0], [5, 4, 5, 5]] : tensor<3x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A route must not contain a cycle.
// CHECK:      error[MCH008]: a core is reached twice, from "input/0"
// CHECK-NEXT:   at: machine.route
// CHECK-NEXT:   expected: links between neighbours, each once, that lead away from the source
// CHECK-NEXT:   found: hop 2 of 3: (2, 0) to (1, 0)
// CHECK-NEXT:   help: route the graph again
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0], [2, 0, 1, 0]] : tensor<3x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A route must reach the core of the target.
// CHECK:      error[MCH009]: edge "input/0" -> "lif1/1" of "fc1" is not delivered
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   expected: a route from core 0 (0, 0) to core 2 (2, 0) for each of its 1 sources
// CHECK-NEXT:   found: none for 1 of them, the first at index 1: hop 1 of 2, core 1 (1, 0) to core 2 (2, 0)
// CHECK-NEXT:   help: route the graph again
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0]] : tensor<1x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A route must include the neurons that the edge needs.
// CHECK:      error[MCH009]: edge "input/0" -> "lif1/1" of "fc1" is not delivered
// CHECK-NEXT:   at: machine.edge
// CHECK-NEXT:   expected: a route from core 0 (0, 0) to core 2 (2, 0) for each of its 1 sources
// CHECK-NEXT:   found: none for 1 of them, the first at index 1: hop 0 of 2, core 0 (0, 0) to core 1 (1, 0)
// CHECK-NEXT:   help: route the graph again
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[0] : tensor<1xi32>>}
}

// -----

// The vertex of a route must be defined.
// CHECK:      error[MCH001]: unknown vertex "input/1"
// CHECK-NEXT:   at: machine.route
// CHECK-NEXT:   expected: one of input/0, lif1/0, lif1/1
// CHECK-NEXT:   found: input/1
// CHECK-NEXT:   help: correct the name
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
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/1" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The device must be known.
// CHECK:      error[DEV005]: asic has no device nowhere
// CHECK-NEXT:   at: --target asic/nowhere
// CHECK-NEXT:   expected: asic/bus, asic/edge, asic/host, asic/kinds, asic/mesh, asic/multi
// CHECK-NEXT:   found: nowhere
// CHECK-NEXT:   help: --target asic/edge
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/nowhere", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}
