// The input has one axon for each of its two delays, 1 and 3 ticks: four axons of a core.
// RUN: rm -rf %t && nopt compile %s --target truenorth/ns1e --dt 1ms --like euler --reset value --until machine -o %t && cat %t/ir/*-machine-route-edges.mlir | filecheck %s
// Neurons of "one" are an output and feed "two": two rows and two destinations for each of three neurons.
// CHECK: machine.vertex "one/0" of "one" {{.*}}needs = {neurons = 6 : i64, synapses = 9 : i64, fan_in = 4 : i64, input_axons = 4 : i64, {{.*}}output_axons = 6 : i64}
// CHECK: machine.vertex "two/0" of "two" {{.*}}needs = {neurons = 1 : i64, synapses = 3 : i64, fan_in = 3 : i64, input_axons = 3 : i64, {{.*}}output_axons = 1 : i64}

// Cores with tables of synapses count each source neuron once, and each neuron once.
// RUN: rm -rf %t && nopt compile %s --target asic/mesh --dt 1ms --like euler --reset value --until machine -o %t && cat %t/ir/*-machine-route-edges.mlir | filecheck %s --check-prefix=TABLES
// TABLES: machine.vertex "one/0" of "one" {{.*}}needs = {neurons = 3 : i64, {{.*}}input_axons = 2 : i64, {{.*}}output_axons = 3 : i64}
nir.graph @net("x" %x: tensor<2xi1>) -> ("h": tensor<3xi1>, "y": tensor<1xi1>) {
  %d = nir.delay "late" %x {delay = #nopt.array<[0.002, 0.002] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xi1>
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[1.0, 2.0], [1.0, 1.0], [2.0, 1.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
  %b = nir.linear "fc2" %d {weight = #nopt.array<[[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
  %s = nir.sum %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %z = nir.if "one" %s {r = #nopt.array<[1000.0, 1000.0, 1000.0] : tensor<3xf32>>, v_threshold = #nopt.array<[2.0, 2.0, 2.0] : tensor<3xf32>>, v_reset = #nopt.array<[0.0, 0.0, 0.0] : tensor<3xf32>>} : tensor<3xf32> -> tensor<3xi1>
  %c = nir.linear "fc3" %z {weight = #nopt.array<[[1.0, 1.0, 1.0]] : tensor<1x3xf32>>} : tensor<3xi1> -> tensor<1xf32>
  %y = nir.if "two" %c {r = #nopt.array<[1000.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z, %y : tensor<3xi1>, tensor<1xi1>
}
