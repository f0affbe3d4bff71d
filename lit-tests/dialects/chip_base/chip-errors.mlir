// Names and cores occur once, and groups hold each neuron of a population once.
// RUN: mutate 's/"lif1.1" of/"lif1\/0" of/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NAME
// RUN: mutate 's/neuro_core 2/neuro_core 0/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CORE
// RUN: mutate 's/index = #nopt.array<\[2\]/index = #nopt.array<[1]/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COVER
// RUN: mutate 's/"output" of "lif1"/"output" of "lif2"/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OUTPUT
// NAME:       error[CHI002]: two groups have the same name
// NAME-NEXT:    at: loihi2.compartments "lif1/0"
// CORE:       error[CHI002]: two cores have the same number
// CORE-NEXT:    at: loihi2.neuro_core
// COVER:      error[CHI002]: the groups are not the population
// COVER:        expected: each of 3 neurons once
// OUTPUT:     error[CHI002]: an output of nothing
// OUTPUT:       expected: one of input, lif1

// Destinations exist, and each input axon has a sender.
// RUN: mutate 's/core = #nopt.array<\[0, 0, 2\]/core = #nopt.array<[0, 0, 3]/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PLACE
// RUN: mutate 's/axon = #nopt.array<\[0, 1, 0\]/axon = #nopt.array<[0, 1, 1]/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXON
// RUN: mutate 's/neuro_core 2 attributes {axons = 1/neuro_core 2 attributes {axons = 2/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SENDER
// RUN: mutate 's/at 0 attributes/at 200 attributes/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=START
// PLACE:      error[CHI003]: a destination is not a core
// PLACE:        expected: one of [0, 2]
// AXON:       error[CHI003]: a destination is not an axon
// AXON:         expected: an axon below 1 of core 2
// SENDER:     error[CHI003]: an input axon has no sender
// SENDER:       found: none for axon 1
// START:      error[CHI003]: the device has no such core
// START:        found: 200

// The update is one of the module.
// RUN: mutate 's/@fire attributes {index = #nopt.array<.2./@other attributes {index = #nopt.array<[2]/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=UPDATE
// UPDATE:     error[CHI002]: the update is not defined
// UPDATE:       found: @other

// A tick without length.
// RUN: mutate 's/tick_ns = 1000000/tick_ns = 0/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LENGTH
// LENGTH:     error[CHI002]: the length of a tick is not positive

// Events that the update does not send.
// RUN: mutate 's/tensor<3xi1>/tensor<3x!ntensor.count<4>>/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SENT
// SENT:       error[CHI002]: the events are not those of the update
// SENT:         expected: i1
// SENT-NEXT:    found: !ntensor.count<4>

// An output name occurs once, and a group has its destinations in one list.
// RUN: mutate 's/  loihi2.output "output".*/&\n&/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OUTPUTS
// RUN: mutate 's/    loihi2.output_axons .*/&\n&/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LISTS
// OUTPUTS:    error[CHI002]: two outputs have the same name
// LISTS:      error[CHI002]: loihi2.output_axons occurs more than once

// A core has no more input axons than there are destinations: no memory is taken for 99999999999 of them.
// RUN: mutate 's/axons = 1 : i64/axons = 99999999999 : i64/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MANY
// MANY:       error[CHI003]: an input axon has no sender
// MANY-NEXT:    at: loihi2.neuro_core
// MANY-NEXT:    expected: at most 3, the destinations of all senders
// MANY-NEXT:    found: 99999999999 axons
