// RUN: nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" approximate=plasticity}' | filecheck %s --check-prefix=EDGE
// RUN: nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh" set="synapse.delay.max=3" approximate=delay}' | filecheck %s --check-prefix=MESH
// RUN: nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/multi" set="synapse.delay.max=3" approximate=delay}' | filecheck %s --check-prefix=MULTI
// RUN: nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/multi" keep=weight_bits}' | filecheck %s --check-prefix=SKIP
// RUN: nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" approximate=plasticity},ntensor-legalize' | filecheck %s --check-prefix=EDGE
// RUN: nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" approximate=plasticity},convert-ntensor-to-machine' -o /dev/null

// A chip of 4-bit weights without plasticity, on which a spike takes exactly one tick: weights are frozen and rounded, neurons become
// those of the chip, the delay of four ticks becomes relays, which are neurons of the chip, too, and every path gets its tick.
// EDGE: ntensor.network @layers(
// EDGE-SAME: machine.latency_ticks = {out = 1 : i64}
// EDGE-SAME: machine.steps = ["ntensor-freeze-plasticity", "ntensor-quantize-weights{bits=4 per=population fit=error}", "ntensor-quantize-bias", "ntensor-set-neuron-model{to=\22asic/edge\22 neuron=edge_lif nodes=a,b}", "ntensor-relay-delays{max-delay=1}", "ntensor-retime", "ntensor-map-relays", "ntensor-plan-cores"]

// Delays up to three ticks: relays. The option follows the device, not the text of its fallback, which has 16.
// MESH: ntensor.network @layers(
// MESH-SAME: machine.steps = ["ntensor-quantize-weights{per=neuron}", "ntensor-quantize-bias", "ntensor-set-neuron-model{to=\22asic/mesh\22 neuron=mesh_cuba nodes=a,b}", "ntensor-relay-delays{max-delay=3}", "ntensor-map-relays", "ntensor-plan-cores"]

// This device clamps delays and keeps plasticity.
// MULTI: ntensor.network @layers(
// MULTI-SAME: machine.steps = ["ntensor-quantize-weights{bits=16 per=row balance=sums}", "ntensor-clamp-delays{max-delay=3}", "ntensor-plan-cores"]

// A skipped feature is not changed: weights are real.
// SKIP: ntensor.network @layers(
// SKIP-SAME: machine.steps = ["ntensor-plan-cores"]

// Integers that the user chose are set when populations are neurons of the device: before the delays become relays, and before anything is planned.
// RUN: nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" approximate=plasticity pin-values="a.k=100,fc2.weight=-5"}' | filecheck %s --check-prefix=PINS
// PINS: ntensor.network @layers(
// PINS-SAME: "ntensor-pin-values{values=\22a.k=100,fc2.weight=-5\22}", "integers pinned: fc2.weight=-5 instead of {{.*}}; a.k=100 instead of 64; new canonical values of a: decay", ["fc2", "a"]
// PINS-SAME: machine.steps = [{{.*}}"ntensor-set-neuron-model{to=\22asic/edge\22 neuron=edge_lif nodes=a,b}", "ntensor-pin-values{values=\22a.k=100,fc2.weight=-5\22}", "ntensor-relay-delays{max-delay=1}"
// PINS: ntensor.neuron "a" @edge_lif{{.*}} canonical = {decay = #nopt.array<0.609375 : tensor<f64>>
// PINS: ntensor.linear "fc2"
// PINS-SAME{LITERAL}: [[-5, -5], [-5, -5]] : tensor<2x2xi8>>

// The most different scales of a population follow the device, by the passes that it names and by its advice alone.
// RUN: nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh" set="quantization.classes=1"}' | filecheck %s --check-prefix=CLASSES
// RUN: python -c "import json, sys; d = json.load(open('%root/targets/asic/devices/mesh.json')); del d['fallbacks']['weight_bits']; d['neuron']['updates'] = {}; d['core'].pop('shared', None); json.dump(d, open('%t.json', 'w'))"
// RUN: nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="%t.json" set="quantization.classes=1"}' | filecheck %s --check-prefix=ADVICE
// CLASSES: machine.steps = ["ntensor-quantize-weights{per=neuron classes=1}", "ntensor-quantize-bias"
// ADVICE: machine.steps = ["ntensor-quantize-weights{per=neuron classes=1 balance=sums}"

// A device permits nothing, even if the conversion that it names does. The user permits another number of spikes in a tick, and another comparison.
// RUN: python %S/inputs/permitting_device.py %root/targets/asic/devices/edge.json %t.permitting.json
// RUN: nopt %S/inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="%t.permitting.json" approximate=comparison,count}' | filecheck %s --check-prefix=SORTED
// RUN: nopt %S/inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="%t.permitting.json" approximate=count,comparison}' | filecheck %s --check-prefix=PERMITTED
// PERMITTED: machine.steps = [{{.*}}"ntensor-set-neuron-model{to=speck approximate=count,comparison}"
// SORTED:    machine.steps = [{{.*}}"ntensor-set-neuron-model{to=speck approximate=comparison,count}"
