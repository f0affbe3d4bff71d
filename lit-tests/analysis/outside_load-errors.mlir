// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/host.json", machine.set = ["memory.rows.bytes=35"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | not nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices 2>&1 | filecheck %s
// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/host.json", machine.set = ["memory.rows.bytes=36", "core.neurons=7"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices,machine-route-edges -o %t.mlir
// RUN: mutate 's@machine.device = @machine.set = ["memory.rows.bytes=35"], machine.device = @' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=GRAPH
// RUN: nopt %t.mlir -p convert-machine-to-asic -o %t.asic.mlir
// RUN: mutate 's@machine.device = @machine.set = ["memory.rows.bytes=35"], machine.device = @' %t.asic.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CHIP
// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%root/lit-tests/core/device/inputs/outside.json", machine.set = ["memory.rows.bytes=16"]}@' %root/lit-tests/passes/plan/inputs/net.mlir | nopt - -p ntensor-plan-cores,convert-ntensor-to-machine,machine-place-vertices,machine-route-edges -o %t.pool.mlir
// RUN: mutate 's@machine.device = @machine.set = ["memory.rows.bytes=15"], machine.device = @' %t.pool.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=POOL

// 24 and 12 bytes of synapses are stored on the host.
// CHECK:      error[DEV022]: the memory outside of the cores is exceeded
// CHECK-NEXT:   at: machine.graph @net
// CHECK-NEXT:   expected: at most 35 bytes in the memory of the host (asic/host, memory.rows.bytes: set by the user)
// CHECK-NEXT:   found: 36 bytes
// CHECK-NEXT:   help: nopt - -p 'ntensor-plan-cores{device="{{.*}}host.json" set="memory.rows.bytes=36"},convert-ntensor-to-machine,machine-place-vertices'

// The verifier of the graph counts them, too.
// GRAPH:      error[DEV022]: the cores use more memory than the host has
// GRAPH:        expected: at most 35 bytes for the host (asic/host, memory.rows.bytes: set by the user)
// GRAPH-NEXT:   found: 36 bytes
// GRAPH-NEXT:   help: place the graph again

// And so does that of the chip, from its tables.
// CHIP:      error[DEV022]: the cores use more memory than the host has
// CHIP:        expected: at most 35 bytes for the host (asic/host, memory.rows.bytes: set by the user)
// CHIP-NEXT:   found: 36 bytes

// Two cores of one chip leave 14 and 2 bytes to it.
// POOL:      error[DEV022]: the cores use more memory than chip {{[01]}} has
// POOL:        expected: at most 15 bytes for chip {{[01]}} (asic/outside, memory.rows.bytes: set by the user)
// POOL-NEXT:   found: 16 bytes
