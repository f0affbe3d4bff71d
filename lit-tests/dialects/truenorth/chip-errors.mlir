// A destination is an axon of a core, or a row of the output bus; dx and dy lead to it.
// RUN: mutate 's/axon = #nopt.array<\[0, 0, 1, 1\]/axon = #nopt.array<[0, 0, 2, 1]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXON
// RUN: mutate 's/dx = #nopt.array<\[1, 0, 1, 0\]/dx = #nopt.array<[1, 0, 2, 0]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CORE
// RUN: mutate 's/dx = #nopt.array<\[1, 0, 1, 0\]/dx = #nopt.array<[-1, 0, 1, 0]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BEYOND
// AXON:      error[TRN002]: a spike has no destination on the chip
// AXON-NEXT:   at: truenorth.neurons "one/0"
// AXON-NEXT:   expected: an axon of one of 0, 1
// AXON-NEXT:   found: axon 2 of core 1
// AXON-NEXT:   help: compile the network again
// CORE:      error[TRN002]: a spike has no destination on the chip
// CORE-NEXT:   at: truenorth.neurons "one/0"
// CORE-NEXT:   expected: an axon of one of 0, 1
// CORE-NEXT:   found: axon 1 of core 2
// CORE-NEXT:   help: compile the network again
// BEYOND:      error[TRN002]: a spike has no destination on the chip
// BEYOND-NEXT:   at: truenorth.neurons "one/0"
// BEYOND-NEXT:   expected: an offset to a core, or to the output bus
// BEYOND-NEXT:   found: row 0 sends beyond the chip
// BEYOND-NEXT:   help: compile the network again

// Two senders on one axon could spike in the same tick, which would count once.
// RUN: mutate 's/axon = #nopt.array<\[0, 0, 1, 1\]/axon = #nopt.array<[1, 0, 1, 1]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MERGED
// MERGED:      error[TRN003]: spikes merge on axon 1 of core 1
// MERGED-NEXT:   at: truenorth.neurons "one/0"
// MERGED-NEXT:   expected: one sender of each axon, since truenorth/ns1e counts spikes of one axon and tick once (truenorth/ns1e, core.merges_spikes)
// MERGED-NEXT:   found: neuron 0 of one and neuron 1 of one
// MERGED-NEXT:   help: compile the network again

// Registers have the widths of the memory row: 9 bits of leak, 18 of threshold, 20 of potential; the last values fit.
// RUN: mutate 's/leak = #nopt.array<-1 :/leak = #nopt.array<-257 :/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LEAK
// RUN: mutate 's/leak = #nopt.array<-1 :/leak = #nopt.array<-256 :/' %S/inputs/truenorth.mlir | nopt - -o /dev/null
// RUN: mutate 's/\[9, 9, 300, 300\]/[9, 9, 262144, 262144]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=THRESHOLD
// RUN: mutate 's/\[9, 9, 300, 300\]/[9, 9, 262143, 262143]/' %S/inputs/truenorth.mlir | nopt - -o /dev/null
// RUN: mutate 's/potential = #nopt.array<0 : tensor<i32>>} : tensor<1xi1>/potential = #nopt.array<524288 : tensor<i32>>} : tensor<1xi1>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=POTENTIAL
// RUN: mutate 's/potential_bits = 20/potential_bits = 9/' 's/truenorth.ns1e/truenorth\/ranc/' 's/0, 64/0, 5/g' 's/array<262143/array<256/' 's/dy = #nopt.array<.64/dy = #nopt.array<[5/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NONE
// LEAK:      error[TRN004]: leak is beyond its register of 9 bits
// LEAK-NEXT:   at: truenorth.neurons "one/0"
// LEAK-NEXT:   expected: -256 to 255 (truenorth/ns1e, core.images.rows.word: leak:9)
// LEAK-NEXT:   found: -257
// LEAK-NEXT:   help: compile the network again
// THRESHOLD:      error[TRN004]: threshold is beyond its register of 18 bits
// THRESHOLD-NEXT:   at: truenorth.neurons "one/0"
// THRESHOLD-NEXT:   expected: 0 to 262143 (truenorth/ns1e, core.images.rows.word: threshold:18)
// THRESHOLD-NEXT:   found: 262144
// THRESHOLD-NEXT:   help: compile the network again
// POTENTIAL:      error[TRN004]: potential is beyond its register of 20 bits
// POTENTIAL-NEXT:   at: truenorth.neurons "two/0"
// POTENTIAL-NEXT:   expected: -524288 to 524287 (truenorth/ns1e, core.images.rows.word: potential:20)
// POTENTIAL-NEXT:   found: 524288
// POTENTIAL-NEXT:   help: compile the network again
// NONE:      error[TRN004]: threshold is beyond its register of 8 bits
// NONE-NEXT:   at: truenorth.neurons "one/0"
// NONE-NEXT:   expected: 0 to 255 (truenorth/ranc, core.images.rows.word: threshold:8)
// NONE-NEXT:   found: 300
// NONE-NEXT:   help: compile the network again

// A core has four types of axons.
// RUN: mutate 's/types = #nopt.array<\[0, 1\]/types = #nopt.array<[0, 4]/' 's/\[7, -3, 0, 0\]/[7, 0, 0, 0, -3]/g' 's/\[0, 255, 0, 0\]/[0, 0, 0, 0, 255]/g' 's/tensor<4x4xi32>/tensor<4x5xi32>/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TYPES
// TYPES:      error[TRN005]: a core needs more types of axons than truenorth/ns1e has
// TYPES-NEXT:   at: truenorth.core
// TYPES-NEXT:   expected: at most 4 types, a weight of each neuron for each (truenorth/ns1e, core.crossbar.axon_types: {{.*}})
// TYPES-NEXT:   found: 5 types
// TYPES-NEXT:   help: compile the network again

// A row has one destination; a second one needs a copy of the neuron.
// RUN: mutate 's/row = #nopt.array<\[0, 1, 2, 3\]/row = #nopt.array<[0, 0, 2, 3]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ONE
// ONE:      error[TRN006]: a row has too many destinations
// ONE-NEXT:   at: truenorth.neurons "one/0"
// ONE-NEXT:   expected: at most 1 axons, and further rows for copies of the neuron (truenorth/ns1e, core.destinations: {{.*}})
// ONE-NEXT:   found: 2 axons
// ONE-NEXT:   help: compile the network again

// Offsets have 9 bits.
// RUN: mutate 's/machine.device = "truenorth.ns1e"/machine.set = ["topology.routers.reach=63"], machine.device = "truenorth\/ns1e"/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=REACH
// RUN: mutate 's/machine.device = "truenorth.ns1e"/machine.set = ["topology.routers.reach=64"], machine.device = "truenorth\/ns1e"/' %S/inputs/truenorth.mlir | nopt - -o /dev/null
// REACH:      error[TRN007]: a destination is out of reach
// REACH-NEXT:   at: truenorth.neurons "one/0"
// REACH-NEXT:   expected: offsets up to 63 (truenorth/ns1e, topology.routers.reach: set by the user)
// REACH-NEXT:   found: 64
// REACH-NEXT:   help: compile the network again

// Delays are 1 to 15 ticks.
// RUN: mutate 's/tick = #nopt.array<\[1, 1, 15, 1\]/tick = #nopt.array<[0, 1, 15, 1]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SOON
// RUN: mutate 's/tick = #nopt.array<\[1, 1, 15, 1\]/tick = #nopt.array<[1, 1, 16, 1]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LATE
// SOON:      error[CHI005]: delay below the minimum of truenorth/ns1e
// SOON-NEXT:   at: truenorth.neurons "one/0"
// SOON-NEXT:   expected: at least 1 ticks (truenorth/ns1e, synapse.delay.min: {{.*}})
// SOON-NEXT:   found: 0 ticks
// SOON-NEXT:   help: compile the network again
// LATE:      error[DEV016]: delay 16 exceeds the limit 15
// LATE-NEXT:   at: truenorth.neurons "one/0"
// LATE-NEXT:   expected: at most 15 ticks (truenorth/ns1e, synapse.delay.max: {{.*}})
// LATE-NEXT:   found: 16 ticks
// LATE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// Weights have 9 bits.
// RUN: mutate 's/255, 0, 0/256, 0, 0/g' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=WEIGHT
// RUN: mutate 's/255, 0, 0/-256, 0, 0/g' %S/inputs/truenorth.mlir | nopt - -o /dev/null
// WEIGHT:      error[DEV016]: weight bits 10 exceed the limit 9
// WEIGHT-NEXT:   at: truenorth.neurons "one/0"
// WEIGHT-NEXT:   expected: at most 9 bits (truenorth/ns1e, synapse.bits: {{.*}})
// WEIGHT-NEXT:   found: 10 bits
// WEIGHT-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// A core has limits for rows, axons and synapses of a neuron.
// RUN: mutate 's/machine.device/machine.set = ["core.neurons=3"], machine.device/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROWS
// RUN: mutate 's/machine.device/machine.set = ["core.input_axons=1"], machine.device/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXONS
// RUN: mutate 's/machine.device/machine.set = ["core.fan_in=1"], machine.device/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FANIN
// ROWS:      error[DEV016]: neurons 4 exceed the limit 3
// ROWS-NEXT:   at: truenorth.neurons "one/0"
// ROWS-NEXT:   expected: at most 3 neurons (truenorth/ns1e, core.neurons: set by the user)
// ROWS-NEXT:   found: 4 neurons
// ROWS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// AXONS:      error[DEV016]: input axons 2 exceed the limit 1
// AXONS-NEXT:   at: truenorth.neurons "one/0"
// AXONS-NEXT:   expected: at most 1 axon (truenorth/ns1e, core.input_axons: set by the user)
// AXONS-NEXT:   found: 2 axons
// AXONS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// FANIN:      error[DEV016]: fan-in 2 exceeds the limit 1
// FANIN-NEXT:   at: truenorth.neurons "one/0"
// FANIN-NEXT:   expected: at most 1 synapse (truenorth/ns1e, core.fan_in: set by the user)
// FANIN-NEXT:   found: 2 synapses
// FANIN-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// Outputs leave at the rows of the bus that their neurons send to.
// RUN: mutate 's/rows = #nopt.array<\[2\]/rows = #nopt.array<[3]/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BUS
// BUS:      error[TRN002]: an output is not sent
// BUS-NEXT:   at: truenorth.output "y"
// BUS-NEXT:   expected: row 3 of the output bus
// BUS-NEXT:   found: 2 for neuron 0
// BUS-NEXT:   help: compile the network again

// The device has 4096 cores.
// RUN: mutate 's/at 0 attributes/at 4096 attributes/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PLACE
// PLACE:      error[CHI003]: the device has no such core
// PLACE-NEXT:   at: truenorth.input "x/0"
// PLACE-NEXT:   expected: a usable core below 4096
// PLACE-NEXT:   found: 4096
// PLACE-NEXT:   help: compile the network again

// Switches of the chip have few values.
// RUN: mutate 's/"saturate"/"grow"/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OVERFLOW
// RUN: mutate 's/neuron_reset_type = 0/neuron_reset_type = 2/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=RESET
// OVERFLOW:      error[CHI002]: overflow is invalid
// OVERFLOW-NEXT:   at: truenorth.chip @net
// OVERFLOW-NEXT:   expected: saturate or wrap
// OVERFLOW-NEXT:   found: grow
// OVERFLOW-NEXT:   help: compile the network again
// RESET:      error[CHI002]: neuron_reset_type is invalid
// RESET-NEXT:   at: truenorth.chip @net
// RESET-NEXT:   expected: 0 or 1
// RESET-NEXT:   found: 2
// RESET-NEXT:   help: compile the network again

// A whole core has 256 rows and 256 axons.
// RUN: python %S/inputs/full_core.py 256 256 | nopt - -o /dev/null
// RUN: python %S/inputs/full_core.py 257 256 | not nopt - 2>&1 | filecheck %s --check-prefix=MANYROWS
// RUN: python %S/inputs/full_core.py 256 257 | not nopt - 2>&1 | filecheck %s --check-prefix=MANYAXONS
// MANYROWS:      error[DEV016]: neurons 257 exceed the limit 256
// MANYROWS-NEXT:   at: truenorth.neurons "one/0"
// MANYROWS-NEXT:   expected: at most 256 neurons (truenorth/ns1e, core.neurons: {{.*}})
// MANYROWS-NEXT:   found: 257 neurons
// MANYAXONS:      error[DEV016]: input axons 257 exceed the limit 256
// MANYAXONS-NEXT:   at: truenorth.neurons "one/0"
// MANYAXONS-NEXT:   expected: at most 256 axons (truenorth/ns1e, core.input_axons: {{.*}})
// MANYAXONS-NEXT:   found: 257 axons
// MANYAXONS:        note: fan-in: at most 256 synapses (truenorth/ns1e, core.fan_in: {{.*}}), found 257 synapses

// The width of potentials is that of the register.
// RUN: mutate 's/potential_bits = 20/potential_bits = 21/' %S/inputs/truenorth.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=WIDTH
// WIDTH:      error[TRN004]: potential_bits are not those of the register
