// On DYNAP-SE1 a synapse selects one current: 1 and 2 are excitatory, 4 is inhibitory. A weight takes several synapses. Tags are below 1024.
// RUN: mutate 's#machine.device = "dynapse/se2"#machine.device = "dynapse/se1"#' 's/mask = #nopt.array<\[8, 4, 12, 4, 15\]/mask = #nopt.array<[1, 4, 2, 1, 2]/' 's/mask = #nopt.array<\[8, 2, 6, 8\]/mask = #nopt.array<[1, 2, 2, 4]/' %S/inputs/dynapse.mlir > %t.mlir
// RUN: nopt %t.mlir | filecheck %s
// CHECK: dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[1, 4, 2, 1, 2] : tensor<5xi32>>

// Two synapses with the tag of one sender are two words.
// RUN: mutate 's/tag = #nopt.array<\[0, 1, 0, 1, 2\]/tag = #nopt.array<[0, 1, 0, 0, 2]/' %t.mlir | nopt - -o /dev/null

// A mask of two currents, one of the inhibitory current for an excitatory synapse, an excitatory one for an inhibitory synapse, one of a fourth current, and none.
// RUN: mutate 's/mask = #nopt.array<\[1, 4, 2, 1, 2\]/mask = #nopt.array<[3, 4, 2, 1, 2]/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TWO
// RUN: mutate 's/mask = #nopt.array<\[1, 4, 2, 1, 2\]/mask = #nopt.array<[4, 4, 2, 1, 2]/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SIGN
// RUN: mutate 's/mask = #nopt.array<\[1, 4, 2, 1, 2\]/mask = #nopt.array<[1, 2, 2, 1, 2]/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: mutate 's/mask = #nopt.array<\[1, 4, 2, 1, 2\]/mask = #nopt.array<[1, 8, 2, 1, 2]/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FOURTH
// RUN: mutate 's/mask = #nopt.array<\[1, 4, 2, 1, 2\]/mask = #nopt.array<[0, 4, 2, 1, 2]/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ZERO
// TWO:      error[DSN005]: a synapse selects other currents than the device permits
// TWO-NEXT:   at: dynapse.neurons "one/0"
// TWO-NEXT:   expected: one of 3 currents, of which the last 1 are inhibitory (dynapse/se1, synapse.words: {{.*}})
// TWO-NEXT:   found: mask 3
// TWO-NEXT:   help: compile the network again
// SIGN:     error[DSN005]
// SIGN:       found: mask 4
// OTHER:    error[DSN005]
// OTHER:      found: mask 2
// FOURTH:   error[DSN005]
// FOURTH:     found: mask 8
// ZERO:     error[DSN005]
// ZERO:       found: mask 0

// The remainder of a tag by 256 is the number of the neuron: 3 and 516 are those of two neurons, as are 3 and 4. 3 and 259 are one number.
// A neuron has one number in all of its tags.
// RUN: mutate 's/tag = #nopt.array<\[3, 4\]/tag = #nopt.array<[3, 516]/' %t.mlir | nopt - -o /dev/null
// RUN: mutate 's/tag = #nopt.array<\[3, 4\]/tag = #nopt.array<[3, 259]/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SAME
// RUN: mutate 's/neuron = #nopt.array<\[0, 1\] : tensor<2xi32>>, chip/neuron = #nopt.array<[0, 0] : tensor<2xi32>>, chip/' 's/tag = #nopt.array<\[3, 4\]/tag = #nopt.array<[3, 259]/' %t.mlir | nopt - -o /dev/null
// RUN: mutate 's/neuron = #nopt.array<\[0, 1\] : tensor<2xi32>>, chip/neuron = #nopt.array<[0, 0] : tensor<2xi32>>, chip/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NUMBER
// SAME:     error[DSN006]: tags are not the numbers of neurons
// SAME-NEXT:  at: dynapse.neurons "one/0"
// SAME-NEXT:  expected: a remainder of tags by 256 for each neuron of a core, the same for all of its tags (dynapse/se1, features.tag_neurons: {{.*}})
// SAME-NEXT:  found: 259
// SAME-NEXT:  help: compile the network again
// NUMBER:   error[DSN006]
// NUMBER:     found: 4

// The last tag of 10 bits is 1023.
// RUN: mutate 's/tag = #nopt.array<\[3, 4\]/tag = #nopt.array<[3, 1023]/' %t.mlir | nopt - -o /dev/null
// RUN: mutate 's/tag = #nopt.array<\[3, 4\]/tag = #nopt.array<[3, 1024]/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TAG
// TAG:      error[DSN003]: a tag does not exist
// TAG:        expected: a tag below 1024
