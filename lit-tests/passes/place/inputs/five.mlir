// Five vertices of two neurons each.
machine.graph @five attributes {tick_ns = 1000000 : i64, stage = #machine.stage<partitioned>DEVICE} {
  machine.input "in" : tensor<1xi1>
  machine.projection "fc" from "in" {
  ^bb0(%x: tensor<1xi1>):
    %y = ntensor.delay "wait" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xi1>
    %z = ntensor.linear "fc" %y {weight = #nopt.array<[[1], [1], [1], [1], [1], [1], [1], [1], [1], [1]] : tensor<10x1xi8>>, quantized = #ntensor.quantized<4, #nopt.array<1.0 : tensor<f64>>>} : tensor<1xi1> -> tensor<10xf32>
    machine.yield %z : tensor<10xf32>
  }
  machine.population "lif" @pass adds [["fc"]] {params = {}, initial = {}} : (tensor<10xf32>) -> tensor<10xi1>
  machine.output "out" of "lif" : tensor<10xi1>
  machine.vertex "in/0" of "in" {box = #nopt.array<[[0, 1]] : tensor<1x2xi64>>}
  machine.vertex "lif/0" of "lif" {box = #nopt.array<[[0, 2]] : tensor<1x2xi64>>}
  machine.vertex "lif/1" of "lif" {box = #nopt.array<[[2, 4]] : tensor<1x2xi64>>}
  machine.vertex "lif/2" of "lif" {box = #nopt.array<[[4, 6]] : tensor<1x2xi64>>}
  machine.vertex "lif/3" of "lif" {box = #nopt.array<[[6, 8]] : tensor<1x2xi64>>}
  machine.vertex "lif/4" of "lif" {box = #nopt.array<[[8, 10]] : tensor<1x2xi64>>}
  machine.edge "fc" : "in/0" -> "lif/0" {synapses = 2 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
  machine.edge "fc" : "in/0" -> "lif/1" {synapses = 2 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
  machine.edge "fc" : "in/0" -> "lif/2" {synapses = 2 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
  machine.edge "fc" : "in/0" -> "lif/3" {synapses = 2 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
  machine.edge "fc" : "in/0" -> "lif/4" {synapses = 2 : i64, axons = 1 : i64, activity = 1.0 : f64, delays = #nopt.array<[1, 1] : tensor<2xi64>>}
}
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
