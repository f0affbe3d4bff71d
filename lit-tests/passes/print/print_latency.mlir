// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p print-latency -o /dev/null 2>&1 | filecheck %s
// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-retime{op-ticks=2},print-latency' -o /dev/null 2>&1 | filecheck %s --check-prefix=TWO
// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-retime{op-ticks=5},print-latency' -o /dev/null 2>&1 | filecheck %s --check-prefix=FIVE

// A network that was not retimed has no latency.
// CHECK: remark[MAP019]: latency of @net
// CHECK-NEXT: at: ntensor.network @net
// CHECK-NEXT: note: ntensor.neuron "hid": 0 ticks
// CHECK-NEXT: note: ntensor.neuron "last": 0 ticks
// CHECK-NEXT: note: output "out": 0 ticks

// The path into "last" has a delay of 3 ticks already: 2 + 2 - 3 = 1, and 5 + 5 - 3 = 7.
// TWO: note: ntensor.neuron "hid": 2 ticks
// TWO-NEXT: note: ntensor.neuron "last": 1 tick
// TWO-NEXT: note: output "out": 1 tick
// FIVE: note: ntensor.neuron "hid": 5 ticks
// FIVE-NEXT: note: ntensor.neuron "last": 7 ticks
// FIVE-NEXT: note: output "out": 7 ticks
