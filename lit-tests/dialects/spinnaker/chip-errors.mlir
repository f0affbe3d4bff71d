// Keys of two senders do not overlap.
// RUN: mutate 's/key = 6 : i64/key = 2 : i64/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OVERLAP
// OVERLAP:      error[SPN005]: keys of two senders overlap
// OVERLAP-NEXT:   at: spinnaker.neurons "two/0"
// OVERLAP-NEXT:   expected: keys above 0x3
// OVERLAP-NEXT:   found: 0x2 of two/0, within those of x/0
// OVERLAP-NEXT:   help: compile the network again

// A key that arrives has rows, and rows have a sender.
// RUN: mutate 's/cores = #nopt.array<\[1\] : tensor<1xi32>>/cores = #nopt.array<[0, 1] : tensor<2xi32>>/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROWS
// RUN: mutate 's/cores = #nopt.array<\[1\] : tensor<1xi32>>/cores = #nopt.array<"0x" : tensor<0xi32>>/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SENDER
// RUN: mutate 's/cores = #nopt.array<\[1\] : tensor<1xi32>>/cores = #nopt.array<[2] : tensor<1xi32>>/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CORE
// ROWS:        error[SPN006]: a key selects no rows, or rows have no sender
// ROWS-NEXT:     at: spinnaker.core
// ROWS-NEXT:     expected: a sender for the keys of each table, and a table for the keys that arrive
// ROWS-NEXT:     found: key 0x4, mask 0xfffffffe
// SENDER:      error[SPN006]
// CORE:        error[CHI003]: a destination is not a core
// CORE:          found: 2

// Ring buffers have 2^14 entries: 1 bit of neurons, 1 bit of receptors and 13 bits of delays are too many, 12 are not.
// RUN: mutate '/one.0. of/s/delay_bits = 0 : i64/delay_bits = 12 : i64/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DELAY
// RUN: mutate '/one.0. of/s/delay_bits = 0 : i64/delay_bits = 13 : i64/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=RING
// A delay of 2^12 ticks is stored as 0, and is beyond the limit of this device, as it is for cores of 256 neurons.
// DELAY:       error[DEV016]: delay 4096 exceeds the limit 32
// DELAY:         expected: at most 32 ticks
// DELAY-NEXT:    found: 4096 ticks
// RING:        error[SPN003]: the ring buffers of a core are too large
// RING-NEXT:     at: spinnaker.neurons "one/0"
// RING-NEXT:     expected: at most 14 bits (spinnaker/spinn3, features.ring_buffer_bits: {{.*}})
// RING-NEXT:     found: 15 bits: 2 neurons, 2 receptors and 8192 slots of delays
// RING-NEXT:     help: compile the network with --set core.neurons=1 --set synapse.delay.max=8192

// A row has at most 256 synapses in a core.
// RUN: python %S/inputs/long_row.py %S/inputs/spinnaker.mlir 256 | nopt - -o /dev/null
// RUN: python %S/inputs/long_row.py %S/inputs/spinnaker.mlir 257 | not nopt - 2>&1 | filecheck %s --check-prefix=LONG
// LONG:        error[SPN004]: a row has more synapses than the chip can read
// LONG-NEXT:     at: spinnaker.rows "fc2"
// LONG-NEXT:     expected: at most 256 synapses (spinnaker/spinn3, features.row_synapses: {{.*}})
// LONG-NEXT:     found: 257 synapses of one source in fc2
// LONG-NEXT:     help: compile the network with --set core.neurons=1

// The device has 64 cores.
// RUN: mutate 's/x" at 0 attr/x" at 64 attr/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PLACE
// PLACE:       error[CHI003]: the device has no such core

// The tables deliver each key to the cores with its rows: processor 2 is core 1.
// RUN: mutate 's/\[128, 256\]/[128, 512]/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROUTE
// RUN: mutate '/spinnaker.router/d' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TABLE
// ROUTE:       error[SPN008]: the routers do not deliver keys to the cores with their rows
// ROUTE-NEXT:    at: spinnaker.neurons "one/0"
// ROUTE-NEXT:    expected: cores [1]
// ROUTE-NEXT:    found: cores [2]
// TABLE:       error[SPN008]
// TABLE:         found: no entry matches a key at its source

// A table has 1023 entries.
// RUN: python %S/inputs/full_router.py %S/inputs/spinnaker.mlir 1023 | nopt - -o /dev/null
// RUN: python %S/inputs/full_router.py %S/inputs/spinnaker.mlir 1024 | not nopt - 2>&1 | filecheck %s --check-prefix=FULL
// FULL:        error[SPN007]: the table of a router has more entries than the device
// FULL-NEXT:     at: spinnaker.router
// FULL-NEXT:     expected: at most 1023 entries (spinnaker/spinn3, topology.routers.entries: {{.*}})
// FULL-NEXT:     found: 1024 of chip 0
