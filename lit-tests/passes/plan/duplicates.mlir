// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.crossbar.axon_types=2,core.neurons=12,core.output_axons=12" copies=2 neurons=true}' | filecheck %s --check-prefix=ROWS
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.crossbar.axon_types=2,core.neurons=11" copies=2 neurons=true}' | filecheck %s --check-prefix=MORE
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.neurons=12" copies=2}' | filecheck %s --check-prefix=ROWS
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.neurons=12" copies=2 neurons=true}' | filecheck %s --check-prefixes=MORE,SMALL
// RUN: nopt %s -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.crossbar.axon_types=2,core.input_axons=12"}' | filecheck %s --check-prefix=ONE
// RUN: nopt %s -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.crossbar.axon_types=2,core.input_axons=12" copies=2}' | filecheck %s --check-prefix=HALF
// RUN: nopt %s -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.crossbar.axon_types=2,core.input_axons=6" copies=2}' | filecheck %s --check-prefix=EACH
// RUN: nopt %s -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.crossbar.axon_types=2,core.input_axons=5" copies=2}' | filecheck %s --check-prefix=LEFT
// RUN: nopt %s -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.crossbar.axon_types=2,core.input_axons=12,topology.cores=1,topology.mesh.width=1,topology.mesh.height=1" copies=2}' | filecheck %s --check-prefix=CORES
// RUN: nopt %s -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.input_axons=12" copies=4}' | filecheck %s --check-prefix=EXACT

// Six neurons send to one slice, over two axons each: 12 rows of a core. With 11 there are two slices of three.
// ROWS: ntensor.neuron "hid" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 6]]] : tensor<1x1x2xi64>>
// MORE: ntensor.neuron "hid" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 3]], {{\[\[}}3, 6]]] : tensor<2x1x2xi64>>

// Two copies of four types: the two neurons of a slice would share the choice of types, so that each has a slice. The six neurons send to two slices: over
// two axons each if they have copies, which are 24 rows, else 12.
// SMALL: ntensor.neuron "last" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 1]], {{\[\[}}1, 2]]] : tensor<2x1x2xi64>>, machine.copies = 2 : i64

// Four neurons read three inputs each, with three weights of two types: 12 axons, or 24 with two copies, which are 12 for each of two slices. Two copies
// of three inputs are the 6 of a slice of one neuron. Five axons cannot hold a copy of all three: slices are those of single axons, and two are left.
// One core has no room for copies, and four types need none.
// ONE:   ntensor.neuron "lif" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 4]]] : tensor<1x1x2xi64>>, params
// HALF:  ntensor.neuron "lif" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 2]], {{\[\[}}2, 4]]] : tensor<2x1x2xi64>>, machine.copies = 2 : i64
// EACH:  ntensor.neuron "lif" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 1]], {{\[\[}}1, 2]], {{\[\[}}2, 3]], {{\[\[}}3, 4]]] : tensor<4x1x2xi64>>, machine.copies = 2 : i64
// LEFT:  ntensor.neuron "lif" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 1]], {{\[\[}}1, 2]], {{\[\[}}2, 3]], {{\[\[}}3, 4]]] : tensor<4x1x2xi64>>, machine.copies = 2 : i64
// CORES: ntensor.neuron "lif" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 4]]] : tensor<1x1x2xi64>>, machine.copies = 1 : i64
// EXACT: ntensor.neuron "lif" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 4]]] : tensor<1x1x2xi64>>, machine.copies = 1 : i64
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @apart("in" %x: tensor<12xi1>) -> ("out": tensor<4xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 3, 4, 5, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 3, 4, 5, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 5]] : tensor<4x12xi8>>} : tensor<12xi1> -> tensor<4xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<4xi16>) -> tensor<4xi1>
  ntensor.output %z : tensor<4xi1>
}
