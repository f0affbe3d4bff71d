// RUN: exits 1 nopt %root/lit-tests/core/inputs/each.neuron 2>&1 | filecheck %s

// Event by event is not the sum: sat(sat(i + a) + b) is not sat(i + a + b), so it is refused, not rounded off.
// CHECK: each.neuron:3:7: error[NEU023]: input w accumulates into i event by event
// CHECK-NEXT: help: input w, and i = i + w
// CHECK-NEXT: note: line 3
