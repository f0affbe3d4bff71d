// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker/spinn3},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,machine-make-tables,convert-machine-to-spinnaker' | filecheck %s

// A block of 4 keys for 3 entries comes first, then blocks of 2. Every synapse of the network has a tick, so the output is 2 ticks late.
// The largest weight of neuron 0 is half of that of neuron 1, so its weights are doubled: 0.5 * 2^14 = 8192 is the weight of 0.5, and 0.25 * 2^14 = 4096 that
// of -0.25. Both ring buffers have the shift 6, and the resistance of neuron 0 is half of that of neuron 1.
// Neuron 0 is excited by entry 0 with 8192 << 16 = 536870912, neuron 1 with 6144 << 16 | 1 = 402653185.
// CHECK:      spinnaker.chip @net attributes {{.*}}machine.latency_ticks = {y = 2 : i64}
// CHECK-NEXT:   spinnaker.input "x/0" of "x" at 0 attributes {{.*}}key = 0 : i64, mask = 4294967292 : i64, cores = #nopt.array<[0] : tensor<1xi32>>} : tensor<3xi1>
// CHECK:        spinnaker.core 0 attributes {axons = 6 : i64} {
// CHECK-NEXT:     spinnaker.neurons "one/0" of "one" @spinnaker_delta.zero.none.above attributes {{.*}}index_bits = 1 : i64, delay_bits = 0 : i64, params = {shift_exc = #nopt.array<6 : tensor<i64>>, shift_inh = #nopt.array<6 : tensor<i64>>,{{.*}}key = 4 : i64, mask = 4294967294 : i64, cores = #nopt.array<[1] : tensor<1xi32>>}
// CHECK-NEXT:       spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<{{\[}}[0, 2, 0, 536870912, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
// CHECK-NEXT:       spinnaker.rows "fc1.inhibitory" {{.*}}words = #nopt.array<{{\[}}[0, 0, 0, 0], [0, 1, 0, 268435458], [0, 0, 0, 0]] : tensor<3x4xi32>>}
// CHECK:        spinnaker.core 1 attributes {axons = 2 : i64} {
// CHECK:            spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64

// CHECK:        spinnaker.router 0 {key = #nopt.array<[0, 4] : tensor<2xi64>>, mask = #nopt.array<[4294967292, 4294967294] : tensor<2xi64>>, route = #nopt.array<[128, 256] : tensor<2xi64>>}

// A population has an input of each sign, also where it has weights of one sign alone. The empty one has no rows and waits for nothing.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker/spinn3},convert-ntensor-to-machine' | filecheck %s --check-prefix=MACHINE
// MACHINE: machine.population "two" @spinnaker_delta.zero.none.above adds {{\[\[}}"fc2"], ["two.inhibitory"]]
