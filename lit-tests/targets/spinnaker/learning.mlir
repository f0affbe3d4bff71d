// RUN: nopt %S/inputs/stdp.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-legalize{device=spinnaker/spinn3},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,machine-make-tables,convert-machine-to-spinnaker' | filecheck %s

// Three sources can raise the sum of a tick to 3 times w_max = 1, so that the shift of unscaled weights is 2: with 6 as the shift of the population, 1 is 2^13 = 8192.
// 20 ms are 20 ticks, a_plus is 0.01 * 8192 = 81.92 and a_minus 0.012 * 8192 = 98.304.
// Plastic data of a row: the time and the trace of the last spike, and two weights as half words: 3 words. The weights of source 0 are 4096 and 6144:
// 6144 << 16 | 4096 = 402657280. Two controls follow: neuron 0, and neuron 1 = 1 << 16. Source 2 has a weight of 0 to neuron 0, which can learn.
// CHECK:      params = {{.*}}shift_exc = #nopt.array<6 : tensor<i64>>
// CHECK:      spinnaker.rows "fc1" {{.*}}tensor<3x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>}

// The artefact has the rule, its loader reads it back, and the budget of synaptic events is that of cores that learn.
// RUN: rm -rf %t && nopt compile %S/inputs/stdp.mlir --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t -v | filecheck %s --check-prefix=BUDGET
// RUN: filecheck %s --check-prefix=JSON < %t/artefact/network.json
// BUDGET:     synaptic events per second of 1.4e+06
// JSON:       "plasticity": {
// JSON-NEXT:   "timing": "spike_pair",
// JSON-NEXT:   "weights": "additive",
// JSON-NEXT:   "tau_plus": 20.0,
// JSON-NEXT:   "tau_minus": 20.0,
// JSON-NEXT:   "a_plus": 81.92,
// JSON-NEXT:   "a_minus": 98.304,
// JSON-NEXT:   "w_min": 0.0,
// JSON-NEXT:   "w_max": 8192.0
// RUN: python -c "import numpy; print(numpy.fromfile('%t/artefact/cores/00000/synapses.bin', '<u4')[:21].reshape(3, 7).tolist())" | filecheck %s --check-prefix=ROWS
// ROWS:       {{\[}}[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536], [3, 0, 0, 536870912, 0, 2, 65536]]

// Nearest pairs are the rule of the synapse language that is named like it; rows have one word before the weights, as no trace is kept.
// RUN: rm -rf %t && nopt compile %S/inputs/nearest.mlir --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t
// RUN: filecheck %s --check-prefix=NEAREST < %t/artefact/network.json
// NEAREST:      "timing": "spike_nearest_pair",
// NEAREST:      "w_max": 8192.0
// RUN: python -c "import numpy; print(numpy.fromfile('%t/artefact/cores/00000/synapses.bin', '<u4')[:18].reshape(3, 6).tolist())" | filecheck %s --check-prefix=WORDS
// WORDS:        {{\[}}[2, 0, 402657280, 0, 2, 65536], [2, 0, 134219776, 0, 2, 65536], [2, 0, 536870912, 0, 2, 65536]]

// Multiplicative changes are shares of the distance from the bound, without the unit of the weights: 0.01 / (1 - 0).
// RUN: mutate 's/#nir.stdp<[^>]*>/#nir.rule<"stdp", {a_plus = 0.01, a_minus = 0.012, tau_plus = 0.02, tau_minus = 0.02, w_min = 0.0, w_max = 1.0, dependence = "multiplicative"}>/' %S/inputs/stdp.mlir > %t.shares.mlir
// RUN: rm -rf %t && nopt compile %t.shares.mlir --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t
// RUN: filecheck %s --check-prefix=SHARES < %t/artefact/network.json
// SHARES:       "timing": "spike_pair",
// SHARES-NEXT:   "weights": "multiplicative",
// SHARES-NEXT:   "tau_plus": 20.0,
// SHARES-NEXT:   "tau_minus": 20.0,
// SHARES-NEXT:   "a_plus": 0.01,
// SHARES-NEXT:   "a_minus": 0.012,
// SHARES-NEXT:   "w_min": 0.0,
// SHARES-NEXT:   "w_max": 8192.0

// Triplets have the terms of pairs and further ones; their rows have the time and two traces of 16 bits, 2 words.
// RUN: rm -rf %t && nopt compile %S/inputs/triplet.mlir --target spinnaker/spinn3 --dt 1ms --like euler --reset value -o %t
// RUN: filecheck %s --check-prefix=TRIPLET < %t/artefact/network.json
// TRIPLET:      "timing": "pfister_triplet",
// TRIPLET:      "triplet": {"tau_x": 50.0, "tau_y": 40.0, "a3_plus": 163.84, "a3_minus": 32.768}
// RUN: python -c "import numpy; print(numpy.fromfile('%t/artefact/cores/00000/synapses.bin', '<u4')[:21].reshape(3, 7).tolist())" | filecheck %s --check-prefix=ROWS
