// The longest tick of a device, and the widest events that its spikes carry.
// RUN: mutate 's/tick_ns = 1000000/tick_ns = 10000000/' %S/../asic/inputs/chip.mlir | nopt - | filecheck %s --check-prefix=TICK
// RUN: mutate 's/machine.device/machine.set = ["tick.max=10ms"], machine.device/' 's/tick_ns = 1000000/tick_ns = 10000000/' %S/../asic/inputs/chip.mlir | nopt - -o /dev/null
// RUN: mutate 's/machine.device/machine.set = ["tick.max=9ms"], machine.device/' 's/tick_ns = 1000000/tick_ns = 10000000/' %S/../asic/inputs/chip.mlir | not nopt - -o /dev/null
// TICK: tick_ns = 10000000 : i64
