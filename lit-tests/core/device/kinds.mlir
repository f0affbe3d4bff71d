// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/kinds.json", machine.set = ["core.neurons=7"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges -o %t.mlir
// RUN: filecheck %s < %t.mlir
// RUN: nopt %t.mlir -p convert-machine-to-asic | filecheck %s --check-prefix=CHIP
// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/kinds.json", machine.set = ["core_kinds.small.fan_in=6"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges | filecheck %s --check-prefix=WIDE
// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/kinds.json", machine.set = ["core_kinds.small.neurons=3"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges | filecheck %s --check-prefix=FEW

// Core 0 is large. A neuron of "last" has 6 synapses, which only core 0 has, so "hid" is cut for the small cores: 3 neurons for each of two.
// CHECK:      machine.vertex "hid/0" of "hid" {{.*}}neurons = 3 : i64
// CHECK-NEXT: machine.vertex "hid/1" of "hid" {{.*}}neurons = 3 : i64
// CHECK-NEXT: machine.vertex "last/0" of "last" {{.*}} fan_in = 6 {{.*}} core = 0 : i64

// CHIP: asic.core 0
// CHIP: asic.neurons "last/0"

// If small cores have 6 synapses, "last" may be anywhere.
// WIDE: machine.vertex "last/0" of "last" {{.*}} fan_in = 6 : i64

// With 3 neurons on a small core, a slice just fits.
// FEW:      machine.vertex "hid/0" of "hid" {{.*}}neurons = 3 : i64
// FEW-NEXT: machine.vertex "hid/1" of "hid" {{.*}}neurons = 3 : i64
