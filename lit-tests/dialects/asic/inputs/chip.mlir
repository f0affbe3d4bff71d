// Two inputs, three neurons on the cores 0 and 2 of asic/mesh.
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {format = "sparse", port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
  asic.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
  asic.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<3xi1>
}
