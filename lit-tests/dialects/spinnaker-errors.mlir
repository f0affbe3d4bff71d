// Keys of two senders do not overlap.
// RUN: sed 's/key = 6 : i64/key = 2 : i64/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OVERLAP
// OVERLAP:      error[SPN005]: keys of two senders overlap
// OVERLAP-NEXT:   at: spinnaker.neurons "two/0"
// OVERLAP-NEXT:   expected: keys above 0x3
// OVERLAP-NEXT:   found: 0x2 of two/0, within those of x/0
// OVERLAP-NEXT:   help: compile the network again

// A key that arrives has rows, and rows have a sender.
// RUN: sed 's/cores = #nopt.array<\[1\] : tensor<1xi32>>/cores = #nopt.array<[0, 1] : tensor<2xi32>>/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROWS
// RUN: sed 's/cores = #nopt.array<\[1\] : tensor<1xi32>>/cores = #nopt.array<"0x" : tensor<0xi32>>/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SENDER
// RUN: sed 's/cores = #nopt.array<\[1\] : tensor<1xi32>>/cores = #nopt.array<[2] : tensor<1xi32>>/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CORE
// ROWS:        error[SPN006]: a key selects no rows, or rows have no sender
// ROWS-NEXT:     at: spinnaker.core
// ROWS-NEXT:     expected: a sender for the keys of each table, and a table for the keys that arrive
// ROWS-NEXT:     found: key 0x4, mask 0xfffffffe
// SENDER:      error[SPN006]
// CORE:        error[ASI003]: a destination is not a core
// CORE:          found: 2

// Ring buffers have 2^14 entries: 1 bit of neurons, 1 bit of receptors and 13 bits of delays are too many, 12 are not.
// RUN: sed '/one.0. of/s/delay_bits = 0 : i64/delay_bits = 12 : i64/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DELAY
// RUN: sed '/one.0. of/s/delay_bits = 0 : i64/delay_bits = 13 : i64/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=RING
// A delay of 2^12 ticks is stored as 0, and is beyond the limit of this device, as it is for cores of 256 neurons.
// DELAY:       error[RSU001]: delay beyond the limit of spinnaker/spinn3
// DELAY:         expected: at most 32 ticks
// DELAY-NEXT:    found: 4096 ticks
// RING:        error[SPN003]: the ring buffers of a core are too large
// RING-NEXT:     at: spinnaker.neurons "one/0"
// RING-NEXT:     expected: at most 14 bits (spinnaker/spinn3, features.ring_buffer_bits: {{.*}})
// RING-NEXT:     found: 15 bits: 2 neurons, 2 receptors and 8192 slots of delays
// RING-NEXT:     help: --set core.neurons=1 --set synapse.delay.max=8192

// A row has at most 256 synapses in a core.
// RUN: python %S/inputs/long_row.py %S/inputs/spinnaker.mlir 256 | nopt - -o /dev/null
// RUN: python %S/inputs/long_row.py %S/inputs/spinnaker.mlir 257 | not nopt - 2>&1 | filecheck %s --check-prefix=LONG
// LONG:        error[SPN004]: a row has more synapses than the chip can read
// LONG-NEXT:     at: spinnaker.rows "fc2"
// LONG-NEXT:     expected: at most 256 synapses (spinnaker/spinn3, features.row_synapses: {{.*}})
// LONG-NEXT:     found: 257 synapses of one source in fc2
// LONG-NEXT:     help: --set core.neurons=1

// The device has 64 cores.
// RUN: sed 's/x" at 0 attr/x" at 64 attr/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PLACE
// PLACE:       error[ASI003]: the device has no such core
