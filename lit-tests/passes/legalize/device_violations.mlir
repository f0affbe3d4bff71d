// RUN: nopt %S/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" set="core.neurons=4,core.fan_out=1,topology.mesh.height=4,topology.cores=8"}' | filecheck %s --check-prefix=COPIES
// RUN: nopt %S/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" set="core.neurons=4,core.fan_out=1,topology.mesh.height=4,topology.cores=8"},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges' -o /dev/null
// RUN: nopt %S/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh" set="core.neurons=2,core.fan_out=2"}' | filecheck %s --check-prefix=SPLIT
// RUN: nopt %S/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh" set="core.neurons=2,core.fan_out=2"},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges' -o /dev/null
// RUN: nopt %S/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" set="core.shared.thresholds.classes=1"}' | filecheck %s --check-prefix=SHARED
// RUN: nopt %S/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" set="core.shared.thresholds.classes=1"},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges' -o /dev/null
// RUN: nopt %S/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh" set="core.fan_in=4"}' | filecheck %s --check-prefix=PARTS
// RUN: nopt %S/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh" set="core.fan_in=4"},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges' -o /dev/null
// RUN: nopt %S/inputs/values.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge"}' | filecheck %s --check-prefix=SPIKES
// RUN: nopt %S/inputs/values.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge"},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges' -o /dev/null
// RUN: nopt %S/inputs/values.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh"}' | filecheck %s --check-prefix=BINARY
// RUN: nopt %S/inputs/values.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh"},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges' -o /dev/null
// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-legalize{device="%S/inputs/crossbar.json"},print-axon-types' 2>&1 | filecheck %s --check-prefix=TYPES
// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-legalize{device="%S/inputs/crossbar.json"},ntensor-plan-cores{set="core.neurons=2"},ntensor-legalize' 2>&1 | filecheck %s --check-prefix=AGAIN

// Six neurons are two slices of four, and a neuron sends to one: "b" is copied. (fan_out)
// COPIES: ntensor.network @wide(
// COPIES-SAME: machine.latency_ticks = {out = 3 : i64}
// COPIES-SAME: machine.steps = ["ntensor-quantize-weights{bits=4 per=population fit=error}", "ntensor-quantize-bias", "ntensor-set-neuron-model{to=\22asic/edge\22 neuron=edge_lif nodes=a,b,c}", "ntensor-retime", "ntensor-plan-cores", "ntensor-replicate-fan-out{max-fan-out=1}"]

// Three slices, and two are allowed: splitters. (fan_out)
// SPLIT: ntensor.network @wide(
// SPLIT-SAME: machine.latency_ticks = {out = 1 : i64}
// SPLIT-SAME: machine.steps = ["ntensor-quantize-weights{per=neuron}", "ntensor-quantize-bias", "ntensor-set-neuron-model{to=\22asic/mesh\22 neuron=mesh_cuba nodes=a,b,c}", "ntensor-plan-cores", "ntensor-split-fan-out{max-fan-out=2}", "ntensor-map-relays"]

// Six thresholds that differ in the sixth digit, and four cores of one class each: in 16 bits they are one. (parameters)
// SHARED: ntensor.network @wide(
// SHARED-SAME: machine.latency_ticks = {out = 3 : i64}
// SHARED-SAME: machine.steps = ["ntensor-quantize-weights{bits=4 per=population fit=error}", "ntensor-quantize-bias", "ntensor-quantize-threshold", "ntensor-set-neuron-model{to=\22asic/edge\22 neuron=edge_lif nodes=a,b,c}", "ntensor-retime", "ntensor-plan-cores"]

// Six synapses, and four are allowed: partial sums, which travel as graded spikes. (fan_in)
// PARTS: ntensor.network @wide(
// PARTS-SAME: machine.steps = ["ntensor-quantize-weights{per=neuron}", "ntensor-quantize-bias", "ntensor-set-neuron-model{to=\22asic/mesh\22 neuron=mesh_cuba nodes=a,b,c}", "ntensor-split-fan-in{max-fan-in=4}", "ntensor-map-relays", "ntensor-plan-cores"]

// Real inputs become binary spikes. (activation_bits)
// SPIKES: ntensor.network @values(
// SPIKES-SAME: machine.latency_ticks = {out = 3 : i64}
// SPIKES-SAME: machine.steps = ["ntensor-quantize-inputs{kind=spike}", "ntensor-quantize-weights{bits=4 per=population fit=error}", "ntensor-quantize-bias", "ntensor-set-neuron-model{to=\22asic/edge\22 neuron=edge_lif nodes=a,b,c}", "ntensor-retime", "ntensor-plan-cores"]

// The same, with 8 bits for weights.
// BINARY: ntensor.network @values(
// BINARY-SAME: machine.steps = ["ntensor-quantize-inputs{kind=spike}", "ntensor-quantize-weights{per=neuron}", "ntensor-quantize-bias", "ntensor-set-neuron-model{to=\22asic/mesh\22 neuron=mesh_cuba nodes=a,b,c}", "ntensor-plan-cores"]

// Cores are crossbars with two types of axons: weights are fitted to two values for each neuron of a slice. (axon_types)
// TYPES: ntensor.network @net(
// TYPES-SAME: machine.steps = ["ntensor-plan-cores", "ntensor-fit-axon-types"]
// TYPES: remark[MAP015]
// TYPES: note: "hid" slice 1: 3 neurons, 4 axons of 4 sources (0 duplicates), types 2 + 2, 10 synapses

// Other slices have other types, so that they are fitted again.
// AGAIN: ntensor.network @net(
// AGAIN-SAME: machine.steps = ["ntensor-plan-cores", "ntensor-fit-axon-types", "ntensor-fit-axon-types"]
