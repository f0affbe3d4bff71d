// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A key that arrives has rows, and rows have a sender.
// RUN: mutate 's/cores = #nopt.array<\[1\] : tensor<1xi32>>/cores = #nopt.array<[2] : tensor<1xi32>>/' %S/inputs/spinnaker.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CORE
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

// -----

// Keys of two senders do not overlap.
// CHECK:      error[SPN005]: keys of two senders overlap
// CHECK-NEXT:   at: spinnaker.neurons "two/0"
// CHECK-NEXT:   expected: keys above 0x3
// CHECK-NEXT:   found: 0x2 of two/0, within those of x/0
// CHECK-NEXT:   help: compile the network again
ntensor.update @cell <spike> inputs ["excitatory", "inhibitory"] states ["v"] params ["shift_exc"] raw ["shift_exc"] derive {
^bb0(%dt: f64, %shift: f64):
  ntensor.derived %shift : f64
} initial {
^bb0(%shift_1: !fixed.int<0, 15>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<0, 65535>
  ntensor.initial %1 : !fixed.int<0, 65535>
} step {
^bb0(%excitatory: !fixed.int<0, 65535>, %inhibitory: !fixed.int<0, 65535>, %v: !fixed.int<0, 65535>, %shift_2: !fixed.int<0, 15>):
  %2 = fixed.cmp gt %excitatory, %inhibitory : !fixed.int<0, 65535>, !fixed.int<0, 65535>
  ntensor.emit %2, %excitatory : i1, !fixed.int<0, 65535>
}
spinnaker.chip @net attributes {tick_ns = 1000000 : i64} {
  spinnaker.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>, key = 0 : i64, mask = 4294967292 : i64, cores = #nopt.array<[0] : tensor<1xi32>>} : tensor<3xi1> {
  ^bb0:
  }
  spinnaker.core 1 attributes {axons = 2 : i64} {
    // expected-error @below {{[SPN005]}}
    spinnaker.neurons "two/0" of "two" @cell attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, index_bits = 1 : i64, delay_bits = 0 : i64, params = {shift_exc = #nopt.array<6 : tensor<i64>>}, initial = {v = #nopt.array<0 : tensor<i64>>}, key = 2 : i64, mask = 4294967294 : i64, cores = #nopt.array<"0x" : tensor<0xi32>>} : tensor<2xi1> {
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[0, 2, 0, 536870912, 134217729], [0, 2, 0, 268435456, 536870913]] : tensor<2x5xi32>>}
    }
  }
}

// -----

// A key that arrives has rows, and rows have a sender.
// CHECK:      error[SPN006]: a key selects no rows, or rows have no sender
// CHECK-NEXT:   at: spinnaker.core
// CHECK-NEXT:   expected: a sender for the keys of each table, and a table for the keys that arrive
// CHECK-NEXT:   found: key 0x4, mask 0xfffffffe
ntensor.update @cell <spike> inputs ["excitatory", "inhibitory"] states ["v"] params ["shift_exc"] raw ["shift_exc"] derive {
^bb0(%dt: f64, %shift: f64):
  ntensor.derived %shift : f64
} initial {
^bb0(%shift_1: !fixed.int<0, 15>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<0, 65535>
  ntensor.initial %1 : !fixed.int<0, 65535>
} step {
^bb0(%excitatory: !fixed.int<0, 65535>, %inhibitory: !fixed.int<0, 65535>, %v: !fixed.int<0, 65535>, %shift_2: !fixed.int<0, 15>):
  %2 = fixed.cmp gt %excitatory, %inhibitory : !fixed.int<0, 65535>, !fixed.int<0, 65535>
  ntensor.emit %2, %excitatory : i1, !fixed.int<0, 65535>
}
spinnaker.chip @net attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[SPN006]}}
  spinnaker.core 1 attributes {axons = 2 : i64} {
    spinnaker.neurons "two/0" of "two" @cell attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, index_bits = 1 : i64, delay_bits = 0 : i64, params = {shift_exc = #nopt.array<6 : tensor<i64>>}, initial = {v = #nopt.array<0 : tensor<i64>>}, key = 6 : i64, mask = 4294967294 : i64, cores = #nopt.array<"0x" : tensor<0xi32>>} : tensor<2xi1> {
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[0, 2, 0, 536870912, 134217729], [0, 2, 0, 268435456, 536870913]] : tensor<2x5xi32>>}
    }
  }
}

// -----

// A key that arrives has rows, and rows have a sender: `cores = "0x"`.
ntensor.update @cell <spike> inputs ["excitatory", "inhibitory"] states ["v"] params ["shift_exc"] raw ["shift_exc"] derive {
^bb0(%dt: f64, %shift: f64):
  ntensor.derived %shift : f64
} initial {
^bb0(%shift_1: !fixed.int<0, 15>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<0, 65535>
  ntensor.initial %1 : !fixed.int<0, 65535>
} step {
^bb0(%excitatory: !fixed.int<0, 65535>, %inhibitory: !fixed.int<0, 65535>, %v: !fixed.int<0, 65535>, %shift_2: !fixed.int<0, 15>):
  %2 = fixed.cmp gt %excitatory, %inhibitory : !fixed.int<0, 65535>, !fixed.int<0, 65535>
  ntensor.emit %2, %excitatory : i1, !fixed.int<0, 65535>
}
spinnaker.chip @net attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[SPN006]: a key selects no rows, or rows have no sender}}
  spinnaker.core 1 attributes {axons = 2 : i64} {
    spinnaker.neurons "two/0" of "two" @cell attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, index_bits = 1 : i64, delay_bits = 0 : i64, params = {shift_exc = #nopt.array<6 : tensor<i64>>}, initial = {v = #nopt.array<0 : tensor<i64>>}, key = 6 : i64, mask = 4294967294 : i64, cores = #nopt.array<"0x" : tensor<0xi32>>} : tensor<2xi1> {
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[0, 2, 0, 536870912, 134217729], [0, 2, 0, 268435456, 536870913]] : tensor<2x5xi32>>}
    }
  }
}
