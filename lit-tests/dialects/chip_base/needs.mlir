// RUN: nopt %S/../../passes/plan/inputs/wide.mlir -p 'ntensor-plan-cores{device="%S/../../passes/plan/inputs/small.json" set="core.neurons=6"},convert-ntensor-to-machine' | filecheck %s
// RUN: nopt %S/../../passes/plan/inputs/tiles.mlir -p 'ntensor-quantize-weights{bits=5},ntensor-plan-cores{device="%S/../../passes/plan/inputs/small.json" set="core.neurons=12"},convert-ntensor-to-machine' | filecheck %s --check-prefix=TILES
// RUN: nopt %S/../../passes/plan/inputs/wide.mlir -p 'ntensor-plan-cores{device="%S/../../passes/plan/inputs/rounding.json" set="core.neurons=6"},convert-ntensor-to-machine' | filecheck %s --check-prefix=ROUNDED

// 3 neurons that read 33 inputs each. Weights of 1 take one bit; a state has 16. The dense format takes 8 bits for each of 3 x 33 pairs, the
// sparse one 24 for each synapse, so 99 bytes; the state takes 2 bytes a neuron, and a gain that is the same for all takes none.
// CHECK: machine.vertex "hid/0" {{.*}} needs = {neurons = 3 : i64, synapses = 99 : i64, fan_in = 33 : i64, input_axons = 33 : i64, weight_bits = 1 : i64, state_bits = 16 : i64, payload_bits = 0 : i64, delay = 0 : i64, neuron_bytes = 6 : i64, synapse_bytes = 99 : i64, classes.gains = 1 : i64, fan_out = 1 : i64, output_axons = 3 : i64}

// The same device rounds the memory of a table of the dense format to a power of two of 10 bytes: 99 bytes are 160. The sparse one, with 297, is
// larger even without gaps.
// ROUNDED: machine.vertex "hid/0" {{.*}} synapse_bytes = 160 : i64

// 2 x 2 x 2 neurons after a kernel of 2 x 1 x 3 x 3, which takes 18 bytes, less than 8 x 9 pairs. Neurons have 4, 6, 6 and 9 synapses.
// TILES: machine.vertex "plane/0" {{.*}} needs = {neurons = 8 : i64, synapses = 50 : i64, fan_in = 9 : i64, input_axons = 9 : i64, weight_bits = 5 : i64, state_bits = 0 : i64, payload_bits = 0 : i64, delay = 0 : i64, neuron_bytes = 0 : i64, synapse_bytes = 18 : i64
