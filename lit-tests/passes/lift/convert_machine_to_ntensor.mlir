// RUN: nopt %S/../plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.neurons=4"}' -o %t.planned.mlir
// RUN: nopt %t.planned.mlir -p 'convert-ntensor-to-machine,convert-machine-to-ntensor' | filecheck %s
// RUN: nopt %t.planned.mlir -p 'convert-ntensor-to-machine,convert-machine-to-ntensor,convert-ntensor-to-machine' > %t.a
// RUN: nopt %t.planned.mlir -p 'convert-ntensor-to-machine' > %t.b
// RUN: diff %t.a %t.b
// RUN: nopt %S/../../analysis/wiring.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json"},convert-ntensor-to-machine,convert-machine-to-ntensor' | filecheck %s --check-prefix=SHARED

// The result is the same network, with its plan. The round trip is the same graph.
// CHECK-LABEL: ntensor.network @net("in" %{{\S+}}: tensor<4xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64, machine.device = #nopt.device<"{{.*}}small.json", digest = d{{[0-9a-f]+}}>} {
// CHECK-NEXT:    [[A:%\S+]] = ntensor.linear "fc"
// CHECK-NEXT:    [[D:%\S+]] = ntensor.delay "axon" [[H:%\S+]]
// CHECK-NEXT:    [[B:%\S+]] = ntensor.linear "fc2" [[D]]
// CHECK-NEXT:    [[H]] = ntensor.neuron "hid" @lif([[A]]) {machine.boxes = #nopt.array<{{\[\[\[}}0, 3]], {{\[\[}}3, 6]]] : tensor<2x1x2xi64>>
// CHECK-NEXT:    [[O:%\S+]] = ntensor.neuron "last" @lif([[B]])
// CHECK-NEXT:    ntensor.output [[O]]

// An op of two projections, or with two readers, is built once.
// SHARED-LABEL: ntensor.network @wired
// SHARED:         ntensor.linear "fc"
// SHARED:         [[F:%\S+]] = ntensor.linear "fc2"
// SHARED-NOT:     ntensor.linear "fc
// SHARED:         ntensor.sum
// SHARED:         ntensor.neuron "b" @lif([[F]])
// SHARED:         ntensor.neuron "c" @lif([[F]])
