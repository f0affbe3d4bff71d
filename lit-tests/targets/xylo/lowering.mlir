// The last population becomes output neurons. A threshold of 16384 or more is reached once at most; v > threshold is v >= 16385.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract},ntensor-legalize{device="xylo/audio2" approximate=comparison,reset},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-xylo' | filecheck %s
// CHECK:      xylo.input "x/0" of "x" at 0 attributes {{.*}}channels = #nopt.array<[0, 1, 2] : tensor<3xi32>>
// CHECK:      xylo.hidden "one/0" of "one" {{.*}}dash_mem = #nopt.array<2 : tensor<i32>>, dash_syn = #nopt.array<1 : tensor<i32>>{{.*}}threshold = #nopt.array<16385 : tensor<i32>>
// CHECK:      xylo.readout "two/0" of "two"
// CHECK:      xylo.weights "input" {shift = 8 : i64, source = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, target = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, {{.*}}weight = #nopt.array<[64, 96, -32, 32, 127] : tensor<5xi8>>}
// CHECK:      xylo.weights "output" {shift = 8 : i64

// A bias is a synapse from a hidden neuron that spikes in each tick. The chip has this neuron, and none that relays spikes without a synapse to itself.
// RUN: mutate 's/nir.linear "fc1" \(.\)x {/nir.affine "fc1" \1x {bias = #nopt.array<[0.25, 0.5] : tensor<2xf32>>, /' %S/inputs/net.mlir | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract},ntensor-legalize{device="xylo/audio2" approximate=comparison,reset}' | filecheck %s --check-prefix=CLOCK
// CLOCK:      ntensor.neuron "clock" @xylo_clock(
// CLOCK:      ntensor.sparse_linear "fc1.bias"
