// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/outside.json", machine.set = ["memory.rows.bytes=16"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices{moves=500} | filecheck %s
// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/outside.json", machine.set = ["memory.rows.bytes=15"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices{moves=500} | filecheck %s --check-prefix=APART
// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/host.json", machine.set = ["memory.rows.bytes=36"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices{moves=500} | filecheck %s --check-prefix=HOST
// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/host.json", machine.set = ["memory.rows.bytes=52", "synapse.formats.sparse.unit_bytes=13"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices{moves=500} | filecheck %s --check-prefix=UNITS

// The synapses of "hid" take 24 bytes and those of "last" 12; a core has 10, so they leave 14 and 2 bytes to their chip: 16 together. Neighbours
// on one chip are nearest: 6 spikes over one link. The inputs are on the core of "hid".
// CHECK: machine.placed = {cost = 6.000000e+00 : f64

// A chip with 15 bytes cannot serve both cores, so they are on different chips.
// APART:      machine.vertex "hid/0" {{.*}} synapse_bytes = 24 {{.*}} core = [[HID:[01]]] : i64
// APART-NEXT: machine.vertex "last/0" {{.*}} synapse_bytes = 12 {{.*}} core = {{[23]}} : i64

// The format names a store of the host: the cores keep no synapses, and both populations can share a core.
// HOST:      machine.vertex "hid/0" {{.*}} synapse_bytes = 0 : i64, memory.rows = 24 : i64
// HOST-NEXT: machine.vertex "last/0" {{.*}} synapse_bytes = 0 : i64, memory.rows = 12 : i64

// Tables are multiples of 13 bytes: 24 are 26.
// UNITS:      machine.vertex "hid/0" {{.*}} memory.rows = 26 : i64
// UNITS-NEXT: machine.vertex "last/0" {{.*}} memory.rows = 13 : i64
