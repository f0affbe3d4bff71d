// RUN: nopt %s --split-input-file -p 'ntensor-split-fan-in{max-fan-in=2}' | filecheck %s

// Three weights are nonzero: two in the first part, 1 + 2 = 3 in three bits, one in the second, 4 in four bits with the sign. Exact: no
// record, and the dense op is removed.
// CHECK-LABEL: ntensor.network @three
// CHECK-SAME:    attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.sparse_linear "fc.part0" %{{\S+}} {weight = #nopt.array<[1, 2] : tensor<2xi8>>, source = #nopt.array<[0, 2] : tensor<2xi32>>, target = #nopt.array<[0, 0] : tensor<2xi32>>} : tensor<4xi1> -> tensor<1xi3>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "lif.part0" @relay_graded_3([[A]]) {{.*}} : (tensor<1xi3>) -> tensor<1x!ntensor.graded<3>>
// CHECK-NEXT:    [[C:%\S+]] = ntensor.sparse_linear "fc.part1" %{{\S+}} {weight = #nopt.array<[4] : tensor<1xi8>>, source = #nopt.array<[3] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>} : tensor<4xi1> -> tensor<1xi4>
// CHECK-NEXT:    [[D:%\S+]] = ntensor.neuron "lif.part1" @relay_graded_4([[C]])
// CHECK-NEXT:    [[E:%\S+]] = ntensor.sum [[B]], [[D]] : (tensor<1x!ntensor.graded<3>>, tensor<1x!ntensor.graded<4>>) -> tensor<1xi16>
// CHECK-NEXT:    ntensor.neuron "lif" @lif([[E]])
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @three("in" %x: tensor<4xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 2, 4]] : tensor<1x4xi8>>} : tensor<4xi1> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Five weights need three parts, too many for a sum of two, so the first two are added in another population.
// CHECK-LABEL: ntensor.network @five
// CHECK:         [[A:%\S+]] = ntensor.neuron "lif.part0"
// CHECK:         [[B:%\S+]] = ntensor.neuron "lif.part1"
// CHECK:         [[C:%\S+]] = ntensor.neuron "lif.part2"
// CHECK-NEXT:    [[D:%\S+]] = ntensor.sum [[A]], [[B]]
// CHECK-NEXT:    [[E:%\S+]] = ntensor.neuron "lif.sum.part0" {{.*}}([[D]])
// CHECK-NEXT:    [[F:%\S+]] = ntensor.neuron "lif.sum.part1" {{.*}}([[C]])
// CHECK-NEXT:    [[G:%\S+]] = ntensor.sum [[E]], [[F]] : {{.*}} -> tensor<1xi16>
// CHECK-NEXT:    ntensor.neuron "lif" @lif([[G]])
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @five("in" %x: tensor<5xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 1, 1, 1, 1]] : tensor<1x5xi8>>} : tensor<5xi1> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Two nonzero weights are within the limit.
// CHECK-LABEL: ntensor.network @two
// CHECK-NEXT:    ntensor.linear "fc"
// CHECK-NEXT:    ntensor.neuron "lif"
// CHECK-NEXT:    ntensor.output
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @two("in" %x: tensor<4xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 0, 0, 4]] : tensor<1x4xi8>>} : tensor<4xi1> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
