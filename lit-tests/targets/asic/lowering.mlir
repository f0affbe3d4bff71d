// Each core has one axon for each neuron with a synapse into it, and each projection one table in each group that it reaches.
// RUN: nopt %S/../../dialects/machine/inputs/routed.mlir -p convert-machine-to-asic | filecheck %s
// RUN: nopt %S/inputs/powers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=12 scale=power-of-two},ntensor-legalize{device=asic/kinds set="synapse.weight_exponent.max=8"},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-asic' | filecheck %s --check-prefix=NARROW
// RUN: nopt %S/inputs/powers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=12 scale=power-of-two},ntensor-legalize{device=asic/kinds set="synapse.weight_exponent.max=4"},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-asic' | filecheck %s --check-prefix=POWERS
// RUN: nopt %S/inputs/powers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=12 scale=power-of-two},ntensor-legalize{device=asic/kinds set="synapse.weight_exponent.max=3"},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-asic' | filecheck %s --check-prefix=PLAIN
// RUN: nopt %S/inputs/windows.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=asic/kinds set="synapse.convolution.kernel=3"},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-asic' | filecheck %s --check-prefix=INSIDE
// RUN: nopt %S/inputs/windows.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=asic/kinds set="synapse.convolution.kernel=2"},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-asic' | filecheck %s --check-prefix=OUTSIDE

// The input has two entries; entry 1 goes to both cores, and reaches core 1 over a route.
// CHECK:        asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
// CHECK-NEXT:     asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 1] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}

// Weights of 4 bits are integers with a scale; parameters are those of the slice.
// CHECK:        asic.core 0 attributes {axons = 3 : i64} {
// CHECK-NEXT:     asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {g = #nopt.array<[0.5, 0.25] : tensor<2xf32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : tensor<3xi1> {
// CHECK-NEXT:       asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<{{\[}}[2, 1], [0, 2]] : tensor<2x2xi8>>, delay = #nopt.array<0 : tensor<i32>>, sums = f32, scale = #nopt.array<0.5 : tensor<f64>>, weights = f32}
// CHECK-NEXT:       asic.dense "rec" {format = "dense", port = 0 : i64, axons = #nopt.array<[2] : tensor<1xi32>>, weight = #nopt.array<{{\[}}[2, 1]] : tensor<1x2xi8>>, delay = #nopt.array<1 : tensor<i32>>
// CHECK-NEXT:       asic.output_axons {neuron = #nopt.array<[0] : tensor<1xi32>>, core = #nopt.array<[1] : tensor<1xi32>>, axon = #nopt.array<[1] : tensor<1xi32>>}
// CHECK:        asic.core 1 attributes {axons = 2 : i64} {
// CHECK-NEXT:     asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {g = #nopt.array<[0.125] : tensor<1xf32>>}
// CHECK:        asic.route "input/0" {links = #nopt.array<{{\[}}[0, 0, 1, 0]] : tensor<1x4xi64>>, neurons = #nopt.array<[1] : tensor<1xi32>>}
// CHECK:        asic.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<3xi1>

// A kernel of 3 x 3 is stored as a kernel where 3 taps are the limit. Where 2 are, its synapses are a matrix, whose
// weights, multiples of 16, take 4 bits.
// INSIDE:       asic.kernel "conv"
// INSIDE-SAME:  format = "convolution"
// OUTSIDE:      asic.dense "conv" {format = "narrow"
// OUTSIDE-SAME: weight_exponent = 4 : i64}

// Integers of 12 bits that are multiples of 16 are stored as mantissas of 8 bits with the exponent 4, and multiples of 256 as mantissas of
// 4 bits with the exponent 8, where the device has it. With a smaller exponent the fallback of the device quantises them to 8 bits first.
// NARROW:       asic.dense "fc1" {format = "dense"
// NARROW-SAME:  weight = #nopt.array<{{\[}}[127, -1], [-100, 127], [3, 94]] : tensor<3x2xi8>>
// NARROW-SAME:  weight_exponent = 4 : i64}
// NARROW:       asic.dense "fc2" {format = "narrow"
// NARROW-SAME:  weight = #nopt.array<{{\[}}[6, -2], [-1, 7]] : tensor<2x2xi8>>
// NARROW-SAME:  weight_exponent = 8 : i64}
// POWERS:       machine.steps
// POWERS-NOT:   ntensor-quantize-weights
// POWERS:       asic.dense "fc2" {format = "dense"
// POWERS-SAME:  weight_exponent = 4 : i64}
// PLAIN:        machine.steps
// PLAIN-SAME:   ntensor-quantize-weights
// PLAIN-NOT:    weight_exponent

// Where the device also has single synapses, they take the place of the matrix that was planned, with a remark.
// RUN: nopt check %S/inputs/overlapping.mlir --dt 1ms --like norse --target asic/host -v | filecheck %s --check-prefix=PAIRS
// PAIRS:      remark[ANA002]: a projection is stored in another format than planned
// PAIRS-NEXT:   place: {{.*}}overlapping.mlir:{{[0-9]+}}:3
// PAIRS-NEXT:   at: machine.projection "fc"
// PAIRS-NEXT:   expected: one synapse of each axon and neuron, in the layout dense (dense)
// PAIRS-NEXT:   found: several synapses between the same two neurons, stored as sparse
// PAIRS-NEXT:   help: nopt check {{.*}} --target asic/host -p ntensor-merge-synapses
