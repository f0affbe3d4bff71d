// Values of neurons outside of the types that the update declares: those of a configuration, those of one that no neuron has, and registers.
// RUN: mutate 's/\[25, 30\]/[25, 131072]/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=THRESHOLD
// RUN: mutate 's/\[25, 30\] : tensor<2x/[25, 30, -1] : tensor<3x/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=UNUSED
// RUN: mutate 's/bias = #nopt.array<5 /bias = #nopt.array<99999999999 /' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BIAS
// RUN: mutate 's/bias = #nopt.array<5 : tensor<i64>/bias = #nopt.array<5.5 : tensor<f64>/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=REAL
// THRESHOLD:      error[CHI007]: vth is out of range
// THRESHOLD-NEXT:   at: loihi2.compartments "lif1/0"
// THRESHOLD-NEXT:   expected: 0 to 131071
// THRESHOLD-NEXT:   found: 25 to 131072
// THRESHOLD-NEXT:   help: compile the network again
// UNUSED:         error[CHI007]: vth is out of range
// UNUSED-NEXT:      at: loihi2.neuro_core
// UNUSED-NEXT:      expected: 0 to 131071
// BIAS:           error[CHI007]: bias is out of range
// BIAS-NEXT:        at: loihi2.compartments "lif1/1"
// BIAS-NEXT:        expected: -4096 to 4095
// BIAS-NEXT:        found: 99999999999
// REAL:           error[CHI007]: bias is out of range
// REAL:             found: numbers of f64

// Registers and configurations that the update does not have, and one that has both.
// RUN: mutate 's/registers = {bias/registers = {gain = #nopt.array<1 : tensor<i64>>, bias/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=REGISTER
// RUN: mutate 's/profiles = {du/profiles = {gain = #nopt.array<[1] : tensor<1xi64>>, du/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CONFIGURATION
// RUN: mutate 's/registers = {bias/registers = {du = #nopt.array<1 : tensor<i64>>, bias/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BOTH
// REGISTER:       error[CHI002]: a register that the update does not have
// REGISTER:         expected: du, vth, bias
// REGISTER-NEXT:    found: gain
// CONFIGURATION:  error[CHI002]: a configuration that no update has
// CONFIGURATION:    found: gain
// BOTH:           error[CHI002]: a register is a configuration, too
// BOTH:             found: du
