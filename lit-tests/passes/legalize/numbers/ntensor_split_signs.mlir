// RUN: nopt %s -p ntensor-split-signs | filecheck %s
// RUN: nopt %s -p ntensor-split-signs | nopt - -p ntensor-split-signs | filecheck %s
// RUN: nopt %S/../../../targets/asic/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=asic/host},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-asic' | filecheck %s --check-prefix=TABLES

// Weights of both signs are split, and the bias stays with the positive ones. Weights of one sign stay as they are.
// CHECK:      %0 = ntensor.linear "both.excitatory" %x {weight = #nopt.array<{{\[}}[1, 0], [0, 3]] : tensor<2x2xi8>>, bias = #nopt.array<[5, -5] : tensor<2xi8>>} : tensor<2xi1> -> tensor<2xi16>
// CHECK-NEXT: %1 = ntensor.linear "both.inhibitory" %x {weight = #nopt.array<{{\[}}[0, -2], [0, 0]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi16>
// CHECK-NEXT: %2 = ntensor.sum %0, %1 : (tensor<2xi16>, tensor<2xi16>) -> tensor<2xi16>
// CHECK-NEXT: ntensor.neuron "lif" @whole(%2)
// CHECK:      ntensor.linear "one" %z {weight = #nopt.array<{{\[}}[-1, -2], [0, -3]] : tensor<2x2xi8>>}

// On a device with a table for each sign, both halves are tables, whose memory counts.
// TABLES:      asic.sparse "fc1.excitatory"
// TABLES-SAME: weight = #nopt.array<[64, 64, 80, 112] : tensor<4xi8>>
// TABLES-NEXT: asic.sparse "fc1.inhibitory"
// TABLES-SAME: weight = #nopt.array<[-112] : tensor<1xi8>>
ntensor.update @whole <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @signs("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "both" %x {weight = #nopt.array<[[1, -2], [0, 3]] : tensor<2x2xi8>>, bias = #nopt.array<[5, -5] : tensor<2xi8>>} : tensor<2xi1> -> tensor<2xi16>
  %z = ntensor.neuron "lif" @whole(%y) {params = {}, initial = {}} : (tensor<2xi16>) -> tensor<2xi1>
  %a = ntensor.linear "one" %z {weight = #nopt.array<[[-1, -2], [0, -3]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi16>
  %b = ntensor.neuron "next" @whole(%a) {params = {}, initial = {}} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}
