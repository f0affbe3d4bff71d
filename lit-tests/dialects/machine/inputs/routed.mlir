ntensor.update @pass <spike> inputs ["x"] states ["v"] params ["g"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 0.5 : f64
  ntensor.derived %0 : f64
} initial {
^bb0(%g: f32):
  %0 = arith.constant 0.0 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32, %g: f32):
  %0 = arith.addf %x, %g : f32
  %z = arith.cmpf ogt, %0, %v : f32
  ntensor.emit %z, %v : i1, f32
}
machine.graph @g attributes {machine.device = "asic/edge", tick_ns = 1000000 : i64, stage = #machine.stage<routed>} {
  machine.input "input" : tensor<2xi1>
  machine.projection "fc1" from "input" {
  ^bb0(%x: tensor<2xi1>):
    %y = ntensor.linear "fc1" %x {weight = #nopt.array<[[2, 0], [1, 2], [0, 4]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.projection "rec" from "lif1" {
  ^bb0(%x: tensor<3xi1>):
    %d = ntensor.delay "wait" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<3xi1>
    %y = ntensor.linear "rec" %d {weight = #nopt.array<[[0, 0, 2], [0, 0, 1], [2, 0, 0]] : tensor<3x3xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<3xi1> -> tensor<3xf32>
    machine.yield %y : tensor<3xf32>
  }
  machine.population "lif1" @pass adds [["fc1", "rec"]] {params = {g = #nopt.array<[0.5, 0.25, 0.125] : tensor<3xf32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<3xf32>) -> tensor<3xi1>
  machine.output "output" of "lif1" : tensor<3xi1>
  machine.vertex "input/0" of "input" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, core = 0 : i64}
  machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>, needs = {neurons = 2 : i64, synapses = 5 : i64, fan_in = 3 : i64, input_axons = 3 : i64, weight_bits = 4 : i64, delay = 1 : i64, neuron_bytes = 16 : i64, synapse_bytes = 3 : i64, classes.thresholds = 0 : i64, fan_out = 1 : i64, output_axons = 1 : i64}, core = 0 : i64}
  machine.vertex "lif1/1" of "lif1" {box = #nopt.array<[[2, 3]] : tensor<1x2xi64>>, core = 1 : i64}
  machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 3 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
  machine.edge "fc1" : "input/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
  machine.edge "rec" : "lif1/1" -> "lif1/0" {synapses = 2 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
  machine.edge "rec" : "lif1/0" -> "lif1/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>, sources = #nopt.array<[0] : tensor<1xi32>>}
  machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0]] : tensor<1x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
  machine.route "lif1/0" {links = #nopt.array<[[0, 0, 1, 0]] : tensor<1x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>, neurons = #nopt.array<[0] : tensor<1xi32>>}
  machine.route "lif1/1" {links = #nopt.array<[[1, 0, 0, 0]] : tensor<1x4xi64>>, activity = #nopt.array<[1.0] : tensor<1xf64>>}
}
