// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/kinds.json", machine.set = ["core.neurons=7"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges -o %t.mlir
// RUN: nopt %t.mlir -p convert-machine-to-asic -o %t.asic.mlir
// RUN: mutate '/"last\/0"/s@core = 0 : i64@core = 1 : i64@' %t.mlir | not nopt - 2>&1 | filecheck %s
// RUN: mutate 's@machine.device = @machine.set = ["core_kinds.small.neurons=2"], machine.device = @' %t.asic.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CHIP
// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/kinds.json", machine.set = ["core.fan_in=5", "core_kinds.small.fan_in=4"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | not nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges 2>&1 | filecheck %s --check-prefix=NONE
// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/kinds.json", machine.set = ["core.neurons=4", "core_kinds.small.neurons=1"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | not nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges 2>&1 | filecheck %s --check-prefix=MANY

// Core 1 is small: its neurons have 4 synapses.
// CHECK:      error[DEV016]: fan-in {{[0-9]+}} exceeds the limit 4
// CHECK-NEXT:   at: machine.vertex "last/0"
// CHECK-NEXT:   expected: at most 4 synapses (asic/kinds, core_kinds.small.fan_in: made for these tests)

// A group of "hid" has 3 neurons on a small core.
// CHIP:      error[DEV016]: neurons 3 exceed the limit 2
// CHIP-NEXT:   at: asic.neurons "hid/{{[01]}}"
// CHIP-NEXT:   expected: at most 2 neurons (asic/kinds, core_kinds.small.neurons: set by the user)
// CHIP-NEXT:   found: 3 neurons

// No kind has 6 synapses.
// NONE:      error[DEV016]: fan-in 6 exceeds the limit 5
// NONE-NEXT:   at: ntensor.neuron "last"
// NONE-NEXT:   expected: at most 5 synapses (asic/kinds, core.fan_in: set by the user)
// NONE-NEXT:   found: 6 synapses

// All cores together hold 4 + 3 x 1 neurons.
// MANY:      error[MAP020]: the network has more neurons than asic/kinds holds
// MANY-NEXT:   expected: at most 7 neurons on 3 cores of 1 and 1 cores of 4
// MANY-NEXT:   found: 8 neurons
