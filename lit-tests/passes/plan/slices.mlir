// RUN: nopt %S/inputs/cliques.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=6"}' | filecheck %s
// RUN: nopt %S/inputs/tiles.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=11"}' --print-op-generic | nopt - | filecheck %s --check-prefix=TILES
// RUN: nopt %S/inputs/empty.mlir -p 'ntensor-plan-cores{device=asic/multi},convert-ntensor-to-machine,convert-machine-to-ntensor' | filecheck %s --check-prefix=EMPTY

// Two cliques of 6 neurons, whose indices alternate, and a bridge between them: each clique is a slice, independent of the indices.
// CHECK: ntensor.neuron "two" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 6]], {{\[\[}}6, 12]]] : tensor<2x1x2xi64>>, machine.order = #nopt.array<[1, 3, 5, 7, 9, 11, 0, 2, 4, 6, 8, 10] : tensor<12xi64>>

// 2 x 4 x 4 neurons in cores of 11: tiles of 2 x 2 x 2. 12 neurons without synapses of their own: halves, in the order of their indices.
// TILES: ntensor.neuron "plane" {{.*}} {machine.boxes = #nopt.array<{{h[0-9a-f]+}} : tensor<4x3x2xi64>>
// TILES: ntensor.neuron "last" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 6]], {{\[\[}}6, 12]]] : tensor<2x1x2xi64>>, machine.order = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] : tensor<12xi64>>

// A population of no neurons has no slices; one without axes has one, with its only index.
// EMPTY: ntensor.neuron "p" {{.*}} {machine.boxes = #nopt.array<"0x" : tensor<0x1x2xi64>>, params = {}, initial = {}} : (tensor<0xf32>) -> tensor<0xi1>
// EMPTY: ntensor.neuron "q" {{.*}} {machine.boxes = #nopt.array<{{\[\[\[}}0, 1]]] : tensor<1x1x2xi64>>, machine.order = #nopt.array<[0] : tensor<1xi64>>
