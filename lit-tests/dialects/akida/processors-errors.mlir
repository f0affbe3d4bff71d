// A processor exists, has the function, and computes one part.
// RUN: mutate 's/\[3, 1, 2\]/[1, 1, 2]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NONE
// RUN: mutate 's/\[3, 1, 2\]/[3, 1, 0]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=DMA
// RUN: mutate 's/\[1, 3, 0\]/[1, 3, 1]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=FNP
// RUN: mutate 's/"FNP3"/"CNP1"/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=KIND
// RUN: mutate 's/\[3, 1, 3\]/[3, 1, 2]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SAME
// RUN: mutate 's/\[3, 1, 3\]/[1, 3, 1]/' %S/inputs/akida.mlir | nopt - -o /dev/null
// NONE:      error[AKI005]: akida/akd1000 has no such processor
// NONE-NEXT:   at: akida.convolutional "c1"
// NONE-NEXT:   expected: column, row and number of an NP
// NONE-NEXT:   found: [1, 1, 2]
// NONE-NEXT:   help: compile the network again
// DMA:      error[AKI005]: akida/akd1000 has no such processor
// DMA-NEXT:   at: akida.convolutional "c1"
// DMA-NEXT:   expected: column, row and number of an NP
// DMA-NEXT:   found: [3, 1, 0]
// DMA-NEXT:   help: compile the network again
// FNP:      error[AKI005]: the processor [1, 3, 1] has no such function
// FNP-NEXT:   at: akida.fully_connected "fc"
// FNP-NEXT:   expected: CNP1
// FNP-NEXT:   found: FNP3
// FNP-NEXT:   help: compile the network again
// KIND:      error[AKI005]: the function does not compute this layer
// KIND-NEXT:   at: akida.fully_connected "fc"
// KIND-NEXT:   expected: FNP3 or FNP2
// KIND-NEXT:   found: CNP1
// KIND-NEXT:   help: compile the network again
// SAME:      error[AKI005]: two parts use the processor [3, 1, 2]
// SAME-NEXT:   at: akida.separable_convolutional "s2"
// SAME-NEXT:   expected: a part on each
// SAME-NEXT:   found: n1 and n2
// SAME-NEXT:   help: compile the network again

// The parts of a layer are all of it, with the memory that they take, within that of a processor.
// RUN: mutate '/CNP1.*3, 1, 2/s/\[0, 2\]/[0, 1]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=PART
// RUN: mutate '/CNP1.*3, 1, 2/s/\[0, 2\]/[1, 2]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BEYOND
// RUN: mutate 's/weight_bytes = 200/weight_bytes = 100/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BYTES
// RUN: mutate 's/ip_version/machine.set = ["core.memory.weights.bytes=199", "core.memory_bytes=43207"], ip_version/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=WEIGHTS
// RUN: mutate 's/ip_version/machine.set = ["core.memory.weights.bytes=200", "core.memory_bytes=43208"], ip_version/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: mutate 's/ip_version/machine.set = ["core.memory.input.bytes=15", "core.memory_bytes=44815"], ip_version/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=INPUT
// RUN: mutate 's/ip_version/machine.set = ["core.memory.input.bytes=16", "core.memory_bytes=44816"], ip_version/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: mutate 's/ip_version/machine.set = ["features.dense_bytes=39"], ip_version/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=UNITS
// RUN: mutate 's/ip_version/machine.set = ["features.dense_bytes=40"], ip_version/' %S/inputs/akida.mlir | nopt - -o /dev/null
// RUN: mutate 's/ip_version/machine.set = ["features.dense_inputs=31"], ip_version/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=INPUTS
// RUN: mutate 's/ip_version/machine.set = ["features.dense_inputs=32"], ip_version/' %S/inputs/akida.mlir | nopt - -o /dev/null
// PART:      error[AKI007]: the processors do not compute all of a layer
// PART-NEXT:   at: akida.convolutional "c1"
// PART-NEXT:   expected: 2 filters at 4 x 4 positions, each once
// PART-NEXT:   found: 16 of 32
// PART-NEXT:   help: compile the network again
// BEYOND:      error[AKI007]: the processors do not compute all of a layer
// BEYOND-NEXT:   at: akida.convolutional "c1"
// BEYOND-NEXT:   expected: 2 filters at 4 x 4 positions, each once
// BEYOND-NEXT:   found: 32 of 32
// BEYOND-NEXT:   help: compile the network again
// BYTES:      error[AKI006]: the memory of a part differs from its contents
// BYTES-NEXT:   at: akida.convolutional "c1"
// BYTES-NEXT:   expected: 16, 200, 0 bytes
// BYTES-NEXT:   found: 16, 100, 0 bytes
// BYTES-NEXT:   help: compile the network again
// WEIGHTS:      error[AKI006]: the weights of a part exceed the memory of its processor
// WEIGHTS-NEXT:   at: akida.convolutional "c1"
// WEIGHTS-NEXT:   expected: at most 199 bytes (akida/akd1000, core.memory.weights.bytes: {{.*}})
// WEIGHTS-NEXT:   found: 200 bytes
// WEIGHTS-NEXT:   help: compile the network again
// INPUT:      error[AKI006]: the input of a part exceed the memory of its processor
// INPUT-NEXT:   at: akida.convolutional "c1"
// INPUT-NEXT:   expected: at most 15 bytes (akida/akd1000, core.memory.input.bytes: {{.*}})
// INPUT-NEXT:   found: 16 bytes
// INPUT-NEXT:   help: compile the network again
// UNITS:      error[AKI006]: the weights of a part exceed the memory of its processor
// UNITS-NEXT:   at: akida.fully_connected "fc"
// UNITS-NEXT:   expected: at most 39 bytes (akida/akd1000, features.dense_bytes: {{.*}})
// UNITS-NEXT:   found: 40 bytes
// UNITS-NEXT:   help: compile the network again
// INPUTS:      error[AKI003]: a dense layer has more inputs than a processor reads
// INPUTS-NEXT:   at: akida.fully_connected "fc"
// INPUTS-NEXT:   expected: at most 31 inputs (akida/akd1000, features.dense_inputs: {{.*}})
// INPUTS-NEXT:   found: 32
// INPUTS-NEXT:   help: nopt check FILE --target auto
// INPUTS-NEXT:   note: pool the map before the layer, or compile for a device with more inputs

// A pass has all processors, but those of the layer before it. A device has a number of passes.
// RUN: mutate '/"fc" of/s/weights_bits/pass_number = 1 : i64, weights_bits/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=PASSES
// RUN: mutate 's/ip_version/machine.set = ["features.passes=2"], ip_version/' '/"s2" of/s/weights_bits/pass_number = 1 : i64, weights_bits/' '/"fc" of/s/weights_bits/pass_number = 1 : i64, weights_bits/' 's/\[3, 1, 3\]/[3, 1, 2]/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BEFORE
// RUN: mutate 's/ip_version/machine.set = ["features.passes=2"], ip_version/' '/"fc" of/s/weights_bits/pass_number = 1 : i64, weights_bits/' 's/\[3, 1, 2\]/[1, 3, 0]/' %S/inputs/akida.mlir | nopt - -o /dev/null
// PASSES:      error[AKI008]: the layers take more passes than the device has
// PASSES-NEXT:   at: akida.fully_connected "fc"
// PASSES-NEXT:   expected: at most 1 (akida/akd1000, features.passes: {{.*}})
// PASSES-NEXT:   found: 2
// PASSES-NEXT:   help: nopt check FILE --target auto
// BEFORE:      error[AKI005]: the first layer of pass 1 uses the processor [3, 1, 2] of the layer before it
// BEFORE-NEXT:   at: akida.separable_convolutional "s2"
// BEFORE-NEXT:   expected: another processor
// BEFORE-NEXT:   found: that of n1
// BEFORE-NEXT:   help: compile the network again
