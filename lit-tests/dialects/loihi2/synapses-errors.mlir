// With mixed signs and 8 bits a weight is even; with 4 bits and one sign it is a multiple of 16.
// RUN: mutate 's/\[\[6, -14\]/[[7, -14]/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ODD
// RUN: mutate 's/array<\[64\] : tensor<1xi16>/array<[72] : tensor<1xi16>/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=STEP
// ODD:       error[LOI001]: a weight is not one of its sign mode and bits
// ODD-NEXT:    at: loihi2.dense "fc1"
// ODD-NEXT:    expected: multiples of 2 from -256 to 254 (8 bits, mixed)
// ODD-NEXT:    found: 7
// ODD-NEXT:    help: compile the network again
// STEP:      error[LOI001]: a weight is not one of its sign mode and bits
// STEP-NEXT:   at: loihi2.sparse "fc1"
// STEP-NEXT:   expected: multiples of 16 from 0 to 255 (4 bits, excitatory)
// STEP-NEXT:   found: 72

// One beyond each end of a range.
// RUN: mutate 's/\[\[6, -14\]/[[256, -14]/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=HIGH
// RUN: mutate 's/<mixed>/<inhibitory>/' 's/\[\[6, -14\], \[0, 10\]\]/[[-256, 0], [0, 0]]/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LOW
// HIGH:      found: 256
// LOW:       expected: multiples of 1 from -255 to 0 (8 bits, inhibitory)
// LOW-NEXT:  found: -256

// Arrays that do not match: another number of rows, a delay of another shape, bits beyond the register, reals.
// RUN: mutate 's/\[\[6, -14\], \[0, 10\]\] : tensor<2x2xi16>/[[6, -14]] : tensor<1x2xi16>/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROWS
// RUN: mutate 's/delay = #nopt.array<0 : tensor<i32>>}/delay = #nopt.array<[0, 1] : tensor<2xi32>>}/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DELAY
// RUN: mutate 's/num_weight_bits = 4/num_weight_bits = 9/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BITS
// RUN: mutate 's/\[\[6, -14\], \[0, 10\]\] : tensor<2x2xi16>/[[6.0, -14.0], [0.0, 10.0]] : tensor<2x2xf32>/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=REALS
// ROWS:      error[CHI001]: weight has another shape
// ROWS:        expected: [2, 2]
// ROWS-NEXT:   found: [1, 2]
// DELAY:     error[CHI001]: delay has another shape
// DELAY:       expected: [] or [2, 2]
// BITS:      error[CHI001]: num_weight_bits is out of range
// BITS:        expected: 1 to 8
// REALS:     error[CHI001]: weight has other numbers
// REALS:       found: float32

// A place of a sparse table outside of it.
// RUN: mutate 's/compartment = #nopt.array<\[0\]/compartment = #nopt.array<[1]/' %S/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PLACE
// PLACE:     error[CHI001]: neuron is not in the table
// PLACE:       expected: indices below 1
