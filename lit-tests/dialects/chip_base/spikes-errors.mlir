// A tick that the device does not have.
// RUN: mutate 's/tick_ns = 1000000/tick_ns = 1/' %S/../asic/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TICK
// TICK:       error[CHI008]: asic/mesh has no tick of 1 ns
// TICK-NEXT:    at: asic.chip @net
// TICK-NEXT:    expected: at least {{[0-9]+}} ns (asic/mesh, tick.min: {{.*}})
// TICK-NEXT:    found: 1 ns

// Events that spikes of the device do not carry.
// RUN: mutate '/loihi2.input/s/tensor<2xi1> {/tensor<2x!ntensor.graded<40>> {/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=EVENTS
// EVENTS:     error[CHI009]: spikes of loihi2/oheo_gulch do not carry these events
// EVENTS-NEXT:  at: loihi2.input "input/0"
// EVENTS-NEXT:  expected: {{.*}} (loihi2/oheo_gulch, spike.dtypes)
// EVENTS-NEXT:  found: !ntensor.graded<40>
