// A chip is printed as it is read, with the device as a record.
// RUN: nopt %S/inputs/loihi2.mlir | filecheck %s
// RUN: nopt %S/inputs/loihi2.mlir | nopt - | filecheck %s

// CHECK:        loihi2.chip @net attributes {machine.device = #nopt.device<"loihi2/oheo_gulch", digest = {{.*}}>, tick_ns = 1000000 : i64} {
// CHECK-NEXT:     loihi2.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
// CHECK-NEXT:       loihi2.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
// CHECK:          loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
// CHECK-NEXT:       loihi2.compartments "lif1/0" of "lif1" @fire attributes
// CHECK-NEXT:         loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64
// CHECK:              loihi2.sparse "fc1"
// CHECK:          loihi2.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<3xi1>

// Without a device only the structure is checked.
// RUN: mutate 's/, machine.device = "loihi2.oheo_gulch"//' 's/at 0 attr/at 999 attr/' %S/inputs/loihi2.mlir | nopt - | filecheck %s --check-prefix=FREE
// FREE:         loihi2.input "input/0" of "input" at 999

// Loihi 1 has the same registers; only weights of 7 bits are missing.
// RUN: mutate 's/oheo_gulch/loihi1/' %S/inputs/loihi2.mlir | nopt - -o /dev/null

// Exactly at the limits of the device: the last core, the exponents of four bits, the longest delay.
// RUN: mutate 's/neuro_core 2/neuro_core 127/' 's/core = #nopt.array<.0, 0, 2./core = #nopt.array<[0, 0, 127]/' %S/inputs/loihi2.mlir | nopt - -o /dev/null
// RUN: mutate 's/weight_exp = -1 /weight_exp = 6 /' 's/weight_exp = -4/weight_exp = -8/' %S/inputs/loihi2.mlir | nopt - -o /dev/null
// RUN: mutate 's/array<3 : tensor<i32>>, axon/array<63 : tensor<i32>>, axon/' %S/inputs/loihi2.mlir | nopt - -o /dev/null

// A core holds as many neurons and input axons as the device has.
// RUN: mutate 's/machine.device/machine.set = ["core.neurons=2", "core.input_axons=2"], machine.device/' %S/inputs/loihi2.mlir | nopt - -o /dev/null
