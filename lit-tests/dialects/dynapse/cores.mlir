// A core counts the tags that its synapses read. Its synapses share four currents, of 0 to 255 steps.
// RUN: nopt %S/inputs/dynapse.mlir | filecheck %s
// CHECK:      dynapse.core 0 attributes {axons = 3 : i64} {
// CHECK-NEXT:   dynapse.neurons "one/0" of "one" @dynapse attributes {{.*}}currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>
// CHECK:      dynapse.core 1 attributes {axons = 2 : i64} {
// CHECK-NEXT:   dynapse.neurons "two/0" of "two" @dynapse attributes {{.*}}currents = #nopt.array<[0, 1, 2, 255] : tensor<4xi32>>

// Two populations on a core have the same currents and parameters. Both read the tag 4, which is counted once.
// RUN: mutate '/^  dynapse.core 1/,/^  }/d' '/^      dynapse.destinations {neuron = #nopt.array<\[0, 1\]/,+1d' %S/inputs/dynapse.mlir > %t.one
// RUN: mutate '/^  dynapse.core 1/,/^  }/!d' '/dynapse.core/d' '/^  }/d' 's/\[0, 1, 2, 255\]/[17, 34, 68, 136]/' 's/0.75/0.5/' 's/\[3, 4, 3, 4\]/[2, 3, 2, 3]/' %S/inputs/dynapse.mlir > %t.two
// RUN: mutate 's/axons = 3/axons = 4/' '/^      dynapse.synapses/r %t.two' %t.one | mutate 's/^    dynapse.neurons "two/    }\n&/' - | nopt - | filecheck %s --check-prefix=BOTH
// BOTH:       dynapse.core 0 attributes {axons = 4 : i64} {
// BOTH-NEXT:    dynapse.neurons "one/0" {{.*}}currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>
// BOTH:         dynapse.neurons "two/0" {{.*}}currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>
