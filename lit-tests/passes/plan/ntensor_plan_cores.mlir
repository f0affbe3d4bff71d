// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json"}' | filecheck %s
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=4"}' | filecheck %s --check-prefix=FOUR
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=4"},ntensor-plan-cores' | filecheck %s --check-prefix=FOUR
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.memory.all.bytes=39,core.input_axons=6"}' | filecheck %s --check-prefix=ONE
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.memory.all.bytes=38"}' | filecheck %s --check-prefix=HALF
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.shared.gains.classes=3"}' | filecheck %s --check-prefix=ONE
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.shared.gains.classes=2"}' | filecheck %s --check-prefix=PAIRS
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.output_axons=6"}' | filecheck %s --check-prefix=ONE
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.output_axons=5"}' | filecheck %s --check-prefix=HALF
// RUN: nopt %S/inputs/tiles.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=12"}' | filecheck %s --check-prefix=TILES

// The smallest number of slices: 8 neurons in each core of the device. The network refers to the device after the pass.
// CHECK-LABEL: ntensor.network @net
// CHECK-SAME:    machine.device = #nopt.device<"{{.*}}small.json", digest = d{{[0-9a-f]+}}>
// CHECK:         ntensor.neuron "hid" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 6]]] : tensor<1x1x2xi64>>
// CHECK:         ntensor.neuron "last" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 2]]] : tensor<1x1x2xi64>>

// Slices have even sizes: 3 and 3, not 4 and 2. A second plan uses the device of the network.
// FOUR-LABEL: ntensor.network @net
// FOUR-SAME:    machine.device = #nopt.device<"{{.*}}small.json", digest = d{{[0-9a-f]+}}>
// FOUR:         ntensor.neuron "hid" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 3]], {{\[\[}}3, 6]]] : tensor<2x1x2xi64>>
// FOUR:         ntensor.neuron "last" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 2]]] : tensor<1x1x2xi64>>

// Just inside of a limit: 6 neurons take 24 bytes of dense weights, one each, and 15 of states (16 bits) and parameters (4 bits), which is 39;
// they have 3 values of their gain, read at most 6 axons, and each of them sends to one slice, which makes 6.
// ONE: ntensor.neuron "hid" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 6]]] : tensor<1x1x2xi64>>

// Just outside: two halves, or one slice for each two values of the gain.
// HALF: ntensor.neuron "hid" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 3]], {{\[\[}}3, 6]]] : tensor<2x1x2xi64>>
// PAIRS: ntensor.neuron "hid" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 2]], {{\[\[}}2, 4]], {{\[\[}}4, 6]]] : tensor<3x1x2xi64>>

// A population after a convolution is cut into tiles with all of its channels: four of 2 x 2 x 2 for 12 neurons in a core. Another
// population with two axes is cut into ranges of its flat indices, in their order.
// TILES: ntensor.neuron "plane" {{.*}} {machine.boxes = #nopt.array<{{h[0-9a-f]+}} : tensor<4x3x2xi64>>
// TILES: ntensor.neuron "last" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 3], [0, 4]]] : tensor<1x2x2xi64>>
