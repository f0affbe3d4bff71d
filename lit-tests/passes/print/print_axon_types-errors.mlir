// RUN: not nopt %s -p print-axon-types --split-input-file 2>&1 | filecheck %s

// A network in continuous time is refused.
// CHECK: error[NTE009]: no network in ticks
// CHECK: help: nopt {{.*}}print_axon_types-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},print-axon-types' --split-input-file
nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}

// -----

// Ops that one population adds have the values of its neurons, so that others disagree.
// CHECK:      error[ANA005]: the axon types of the ops of a population disagree
// CHECK-NEXT:   at: ntensor.linear "side"
// CHECK-NEXT:   expected: the values of "fc", which the same neurons add
// CHECK-NEXT:   found: other values
// CHECK-NEXT:   help: fit the weights of all ops of the population together
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @net("in" %x: tensor<3xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2], [5, 5, 8]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [5, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<4x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  %b = ntensor.linear "side" %x {weight = #nopt.array<[[2, 0, 1], [0, 0, 3]] : tensor<2x3xi8>>, axon_types = #ntensor.axon_types<values = #nopt.array<[[1, 2], [4, 3]] : tensor<2x2xi8>>, slices = #nopt.array<[0, 0] : tensor<2xi32>>, axons = #nopt.array<[[0, 0, 1, 0], [0, 2, 0, 0], [0, 2, 1, 0]] : tensor<3x4xi32>>>} : tensor<3xi1> -> tensor<2xi16>
  %c = ntensor.sum %a, %b : (tensor<2xi16>, tensor<2xi16>) -> tensor<2xi16>
  %z = ntensor.neuron "lif" @lif(%c) {params = {}, initial = {}} : (tensor<2xi16>) -> tensor<2xi1>
  %d = ntensor.linear "readout" %z {weight = #nopt.array<[[1, 1]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi16>
  %o = ntensor.neuron "last" @lif(%d) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %o : tensor<1xi1>
}
