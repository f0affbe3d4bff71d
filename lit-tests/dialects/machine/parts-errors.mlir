// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A projection must end in machine.yield.
// CHECK:      error[MCH002]: the body is not a chain of ops
// CHECK-NEXT:   at: machine.projection "fc1"
// CHECK-NEXT:   expected: machine.yield as the last op
// CHECK-NEXT:   found: ntensor.linear
// CHECK-NEXT:   help: let each op read the op before it
// CHECK-NEXT: error[COR025]: Operation ntensor.linear terminates block in single-block region but is not a terminator
// CHECK-NEXT:   at: ntensor.linear "fc1"
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

// Each op must read the op before it.
// CHECK:      error[MCH002]: the body is not a chain of ops
// CHECK-NEXT:   at: machine.projection "fc1"
// CHECK-NEXT:   expected: an op that reads the op before it
// CHECK-NEXT:   found: machine.yield with other operands
// CHECK-NEXT:   help: let each op read the op before it
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
    %r = ntensor.reshape "r" %y : tensor<3xf32> -> tensor<3xf32>
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

// A chain must have one argument.
// CHECK:      error[MCH002]: the body is not a chain of ops
// CHECK-NEXT:   at: machine.projection "fc1"
// CHECK-NEXT:   expected: one argument, the signal of the source
// CHECK-NEXT:   found: 2 arguments
// CHECK-NEXT:   help: let each op read the op before it
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @g attributes {machine.device = "asic/mesh", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>, %w: tensor<2xi1>):
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
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// A projection must contain only ops of a chain.
// CHECK:      error[MCH002]: the body is not a chain of ops
// CHECK-NEXT:   at: machine.projection "fc1"
// CHECK-NEXT:   expected: one of ntensor.avg_pool2d, ntensor.conv1d, ntensor.conv2d, ntensor.conv_transpose2d, ntensor.delay, ntensor.fan_in_linear, ntensor.linear, ntensor.reshape, ntensor.scale, ntensor.sparse_linear, ntensor.sum_pool2d, ntensor.upsample2d
// CHECK-NEXT:   found: ntensor.sum
// CHECK-NEXT:   help: let each op read the op before it
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
    %r = ntensor.sum %y : (tensor<3xf32>) -> tensor<3xf32>
    machine.yield %r : tensor<3xf32>
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

// The body of an output must not contain synapses.
// CHECK:      error[MCH002]: the body is not a chain of ops
// CHECK-NEXT:   at: machine.output "output"
// CHECK-NEXT:   expected: one of ntensor.delay, ntensor.reshape
// CHECK-NEXT:   found: ntensor.scale
// CHECK-NEXT:   help: let each op read the op before it
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
  machine.output "output" of "lif1" : tensor<3xf32> {
  ^bb0(%x: tensor<3xi1>):
    %y = ntensor.scale "s" %x {scale = #nopt.array<1.0 : tensor<f32>>} : tensor<3xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The type of an output must be that of its chain.
// CHECK:      error[MCH002]: the chain has another type
// CHECK-NEXT:   at: machine.output "output"
// CHECK-NEXT:   expected: tensor<3xi1>
// CHECK-NEXT:   found: tensor<3x1xi1>
// CHECK-NEXT:   help: correct the type of the output
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
  machine.output "output" of "lif1" : tensor<3xi1> {
  ^bb0(%x: tensor<3xi1>):
    %y = ntensor.reshape "s" %x : tensor<3xi1> -> tensor<3x1xi1>
    machine.yield %y : tensor<3x1xi1>
  }
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// An operand must have the shape of its projection, as in `ntensor.sum`.
// CHECK:      error[NTE002]: an operand has the wrong shape
// CHECK-NEXT:   at: ntensor.sum
// CHECK-NEXT:   expected: (1, 3)
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: change the shape of an operand to (1, 3)
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
  machine.population "lif1" @pass adds [["fc1"]] {params = {}, initial = {}} : (tensor<1x3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}

// -----

// The update must be in the module.
// CHECK:      error[NTE005]: the update is not in the module
// CHECK-NEXT:   at: ntensor.neuron "lif1"
// CHECK-NEXT:   expected: an ntensor.update of this module
// CHECK-NEXT:   found: @nothing
// CHECK-NEXT:   help: define ntensor.update @nothing in the module of the network
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
  machine.population "lif1" @nothing adds [["fc1"]] {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {input_axons = 2 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, needs = {input_axons = 1 : i64}, core = 2 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
}
