// RUN: nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json"}' | filecheck %s
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json" move=last}' | filecheck %s --check-prefix=MOVED
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json"},ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=4"}' | filecheck %s --check-prefix=PLAN
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json"},ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=4"},convert-ntensor-to-machine,machine-place-vertices' | filecheck %s --check-prefix=PLACE

// The populations of the earlier mapping, each with its slices and the places of their cores: chip, column, row and slot. An input has no slices to keep.
// CHECK-LABEL: ntensor.network @net
// CHECK-SAME:    machine.kept = {device = "asic/small", file = "{{.*}}earlier.json", moved = [], layers = [{node = "hid", boxes = #nopt.array<{{\[\[\[}}0, 2]], {{\[\[}}2, 6]]] : tensor<2x1x2xi64>>, places = #nopt.array<{{\[\[}}0, 1, 1, 0], [0, 1, 0, 0]] : tensor<2x4xi64>>},
// CHECK-SAME:    {node = "last", boxes = #nopt.array<{{\[\[\[}}0, 3]]] : tensor<1x1x2xi64>>, order = #nopt.array<[2, 0, 1] : tensor<3xi64>>, places = #nopt.array<{{\[\[}}0, 1, 1, 0]] : tensor<1x4xi64>>}]}

// A layer that moves is left out, and its name is kept for messages.
// MOVED: moved = ["last"], layers = [{node = "hid", {{[^}]*}}}]}

// The plan takes the earlier slices, two and four neurons, in place of three and three. "last" has two neurons now, and is planned anew.
// PLAN: ntensor.neuron "hid" {{.*}}machine.boxes = #nopt.array<{{\[\[\[}}0, 2]], {{\[\[}}2, 6]]] : tensor<2x1x2xi64>>
// PLAN: ntensor.neuron "last" {{.*}}machine.boxes = #nopt.array<{{\[\[\[}}0, 2]]] : tensor<1x1x2xi64>>

// The vertices keep their cores 3 and 1; "last" goes to the room that the first leaves. The attribute is removed.
// PLACE:      machine.graph @net
// PLACE-NOT:  machine.kept
// PLACE-SAME: machine.placed = {cost = {{[^}]*}}, kept = 2 : i64}
// PLACE:      machine.vertex "hid/0" {{.*}} core = 3 : i64
// PLACE:      machine.vertex "hid/1" {{.*}} core = 1 : i64
// PLACE:      machine.vertex "last/0" {{.*}} core = 3 : i64
