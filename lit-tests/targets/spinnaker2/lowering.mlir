// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker2/chip},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-spinnaker2' | filecheck %s

// Every synapse of the network has a tick, so the output is 2 ticks late, and delays are 0.
// The weights of a neuron are on a grid of a power of two: 1 / 128 and 1 / 64. The threshold 0.5 is 64 or 32 of them, as gain = r dt / tau is 1.
// A weight of 0 is omitted. Neuron one has dt / tau = 1/2, neuron two 1/4.
// CHECK:      spinnaker2.chip @net attributes {{.*}}machine.latency_ticks = {y = 2 : i64}
// CHECK-NEXT:   spinnaker2.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi1>
// CHECK:        spinnaker2.core 0 attributes {axons = 3 : i64} {
// CHECK-NEXT:     spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "lif_no_delay", reset = "reset_to_v_reset", {{.*}}params = {alpha_decay = #nopt.array<0.5 : tensor<f32>>, i_offset = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<[64.0, 32.0] : tensor<2xf32>>}
// CHECK-NEXT:       spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[64, 48, -32, 16, 64] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
// CHECK:        spinnaker2.core 1 attributes {axons = 2 : i64} {
// CHECK-NEXT:     spinnaker2.neurons "two/0" {{.*}}alpha_decay = #nopt.array<0.75 : tensor<f32>>
// CHECK-NEXT:       spinnaker2.connections "fc2" of "one" {pre = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, post = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, weight = #nopt.array<[64, 16, 32, 64] : tensor<4xi8>>

// A reset by subtraction is a parameter of the model.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=spinnaker2 reset=subtract},ntensor-legalize{device=spinnaker2/chip},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-spinnaker2' | filecheck %s --check-prefix=SUBTRACT
// SUBTRACT: spinnaker2.neurons "one/0" of "one" @lif_no_delay.subtract attributes {model = "lif_no_delay", reset = "reset_by_subtraction"

// A delay of 3 ticks is stored as 2.
// RUN: nopt %S/inputs/delayed.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=spinnaker2 reset=value},ntensor-legalize{device=spinnaker2/chip_delays},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-spinnaker2' | filecheck %s --check-prefix=DELAY
// DELAY: spinnaker2.neurons {{.*}}model = "lif", reset
// DELAY: spinnaker2.connections "fc1" of "x" {{.*}}delay = #nopt.array<2 : tensor<i32>>}
