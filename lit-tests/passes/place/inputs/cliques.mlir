machine.graph @cliques attributes {tick_ns = 1000000 : i64, stage = #machine.stage<partitioned>DEVICE} {
  machine.input "in" : tensor<8xi1>
  machine.projection "loop" from "lif" {
  ^bb0(%x: tensor<8xi1>):
    %y = ntensor.delay "wait" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<8xi1>
    %z = ntensor.linear "rec" %y {weight = #nopt.array<[[0, 0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1, 0, 0], [1, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 1, 1], [1, 1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0, 0, 0]] : tensor<8x8xi8>>, quantized = #ntensor.quantized<4, #nopt.array<1.0 : tensor<f64>>>} : tensor<8xi1> -> tensor<8xf32>
    machine.yield %z : tensor<8xf32>
  }
  machine.population "lif" @pass adds [["loop"]] {params = {}, initial = {}} : (tensor<8xf32>) -> tensor<8xi1>
  machine.output "out" of "lif" : tensor<8xi1>
  machine.vertex "in/0" of "in" {box = #nopt.array<[[0, 8]] : tensor<1x2xi64>>}
  machine.vertex "lif/0" of "lif" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>}
  machine.vertex "lif/1" of "lif" {box = #nopt.array<[[2, 4]] : tensor<1x2xi64>>}
  machine.vertex "lif/2" of "lif" {box = #nopt.array<[[4, 6]] : tensor<1x2xi64>>}
  machine.vertex "lif/3" of "lif" {box = #nopt.array<[[6, 8]] : tensor<1x2xi64>>}
  machine.edge "loop" : "lif/0" -> "lif/2" {synapses = 4 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
  machine.edge "loop" : "lif/2" -> "lif/0" {synapses = 4 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
  machine.edge "loop" : "lif/1" -> "lif/3" {synapses = 4 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
  machine.edge "loop" : "lif/3" -> "lif/1" {synapses = 4 : i64, axons = 2 : i64, activity = 2.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
  machine.edge "loop" : "lif/0" -> "lif/1" {synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>, sources = #nopt.array<[0] : tensor<1xi32>>}
}
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
