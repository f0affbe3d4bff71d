// Each neuro-core has the configurations of its compartments, and each projection a table in each group that it reaches.
// RUN: nopt %S/../asic/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=loihi2/oheo_gulch},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-loihi2' | filecheck %s
// RUN: nopt %S/../asic/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=loihi2/programmable},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-loihi2' | filecheck %s --check-prefix=PROGRAMMABLE
// RUN: nopt %S/inputs/affine.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=loihi2/oheo_gulch},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-loihi2' | filecheck %s --check-prefix=BIAS
// RUN: nopt %S/../asic/inputs/overlapping.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=loihi2/oheo_gulch},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-loihi2' -o %t.mlir 2>&1 | filecheck %s --check-prefix=OVERLAPPING
// RUN: filecheck %s --check-prefix=SPARSE < %t.mlir

// Thresholds of 1 and 0.5 are 128 and 64 in units of 1/128. Weights of 4 bits with mixed signs are multiples of 2^5: 0.5 = 4 * 2^4 / 128 is
// stored as 4 * 2^5 with weight_exp = 4 - 5.
// CHECK:      loihi2.neuro_core 0 attributes {axons = 5 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>, dv = #nopt.array<[0] : tensor<1xi64>>, refractory = #nopt.array<[1] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[64, 128] : tensor<2xi64>>}} {
// CHECK-NEXT:   loihi2.compartments "hidden/0" of "hidden" @loihi attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<1 : tensor<i32>>
// CHECK-NEXT:     loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<{{\[}}[128, 0, 128], [-224, 160, 224]] : tensor<2x3xi16>>, delay = #nopt.array<0 : tensor<i32>>}
// CHECK-NEXT:     loihi2.output_axons {neuron = #nopt.array<[0, 1, 2] : tensor<3xi32>>, core = #nopt.array<[0, 0, 0] : tensor<3xi32>>, axon = #nopt.array<[2, 3, 4] : tensor<3xi32>>}
// CHECK:        loihi2.compartments "readout/0" of "readout" @loihi

// Programmable neurons have all parameters in registers of their own.
// PROGRAMMABLE:      loihi2.neuro_core 0 attributes {axons = 5 : i64, profiles = {}, thresholds = {}} {
// PROGRAMMABLE-NEXT:   loihi2.compartments "hidden/0" of "hidden" @loihi2_lif.value

// A bias is the weight of a compartment that fires in every tick, since its register of the bias alone is above the threshold of 0.
// BIAS:      loihi2.compartments "clock/0" of "clock" @loihi
// BIAS-SAME: bias = #nopt.array<64 : tensor<i64>>
// BIAS:      loihi2.compartments "hidden/0" of "hidden" @loihi
// BIAS:        "fc1.bias"

// Two neurons with several synapses, as after an overlapping pool, have single synapses.
// OVERLAPPING:      remark[ANA002]: a projection is stored in another format than planned
// OVERLAPPING-NEXT:   at: machine.projection "fc"
// OVERLAPPING-NEXT:   expected: one synapse of each axon and compartment, in the layout dense (dense4)
// OVERLAPPING-NEXT:   found: several synapses between the same two neurons, stored as sparse4
// OVERLAPPING-NEXT:   help: nopt {{.*}}overlapping.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-merge-synapses,ntensor-legalize{device=loihi2/oheo_gulch},{{.*}}
// SPARSE:           loihi2.sparse "fc"
